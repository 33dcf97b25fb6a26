import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, type ProblemKind } from "../../core/errors.ts";
import { errorResponse } from "./errors.ts";

test("each kind of problem maps to a status and keeps its message", () => {
  const statuses: Record<ProblemKind, number> = {
    unreadable: 400,
    unauthorized: 401,
    forbidden: 403,
    notFound: 404,
    wrongMethod: 405,
    conflict: 409,
    gone: 410,
    stale: 412,
    tooLarge: 413,
    tooMany: 429,
    unavailable: 503,
  };
  for (const [kind, status] of Object.entries(statuses)) {
    const refused = errorResponse(new Problem(kind as ProblemKind, "The sentence."));
    assert.deepEqual([refused.status, refused.detail, refused.unexpected], [status, "The sentence.", false]);
  }
});

test("401 has www-authenticate; retry-after and other headers are sent", () => {
  assert.deepEqual(errorResponse(new Problem("unauthorized", "x")).headers, ["www-authenticate", "Bearer"]);
  assert.deepEqual(errorResponse(new Problem("tooMany", "x", { retryAfterSeconds: 7 })).headers, [
    "retry-after",
    "7",
  ]);
  assert.deepEqual(errorResponse(new Problem("wrongMethod", "x", { headers: ["allow", "GET"] })).headers, [
    "allow",
    "GET",
  ]);
});

test("any other error is a 500 that does not show its message", () => {
  for (const thrown of [new Error("select * from users"), new TypeError("x"), "text", undefined, null]) {
    const { status, detail, unexpected } = errorResponse(thrown);
    assert.deepEqual([status, unexpected], [500, true]);
    assert.equal(detail, "Internal error. The server log has the details under this request id.");
  }
});

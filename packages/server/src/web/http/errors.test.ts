import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, type ProblemKind } from "../../core/errors.ts";
import { errorResponse } from "./errors.ts";

test("each kind of problem has its status, and its own sentence", () => {
  const statuses: Record<ProblemKind, number> = {
    unreadable: 400,
    unauthorized: 401,
    forbidden: 403,
    notFound: 404,
    wrongMethod: 405,
    conflict: 409,
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

test("401 says how to authenticate; waiting times and other headers go along", () => {
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

test("anything else is ours, and its message stays here", () => {
  for (const thrown of [new Error("select * from users"), new TypeError("x"), "text", undefined, null]) {
    const { status, detail, unexpected } = errorResponse(thrown);
    assert.deepEqual([status, unexpected], [500, true]);
    assert.equal(detail, "Internal error. The server log has the details under this request id.");
  }
});

import assert from "node:assert/strict";
import { ApiError } from "@lakehelm/contract/client";

/** Expects a call to fail: with this status and, if given, a matching message. */
export async function refused(
  call: Promise<unknown>,
  status: number,
  sentence: RegExp | string = /./,
): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail(`it succeeded, and should have been ${status}`),
    (refusal) => refusal,
  );
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.status, status, error.detail);
  if (typeof sentence === "string") assert.equal(error.detail, sentence);
  else assert.match(error.detail, sentence);
  return error;
}

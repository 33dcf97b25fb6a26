import assert from "node:assert/strict";
import { test } from "node:test";
import { DataProblem } from "@lakehelm/engine";
import { SparkError } from "@lakehelm/spark-connect";
import { workError } from "./work-session.ts";

test("what a cluster has lost is asked again by the next attempt, and what it refuses is not", () => {
  const isRetryable = (errorClass: string) => {
    const error = workError(new SparkError("x", { errorClass }));
    return error instanceof DataProblem && error.retryable;
  };
  assert.ok(isRetryable("INVALID_HANDLE.OPERATION_NOT_FOUND"));
  assert.ok(isRetryable("INVALID_HANDLE.SESSION_CLOSED"));
  assert.ok(isRetryable("DELTA_CONCURRENT_APPEND"));
  assert.ok(!isRetryable("TABLE_OR_VIEW_NOT_FOUND"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isHandleLost, isNoTable, isSessionLost, SparkError } from "./spark-error.ts";

test("a session or an operation that is not found is not a table that is not found", () => {
  const kinds = (errorClass: string) => {
    const error = new SparkError("x", { errorClass });
    return [isNoTable(error), isHandleLost(error), isSessionLost(error)];
  };
  assert.deepEqual(kinds("TABLE_OR_VIEW_NOT_FOUND"), [true, false, false]);
  assert.deepEqual(kinds("DELTA_MISSING_DELTA_TABLE"), [true, false, false]);
  assert.deepEqual(kinds("INVALID_HANDLE.SESSION_NOT_FOUND"), [false, true, true]);
  assert.deepEqual(kinds("INVALID_HANDLE.OPERATION_NOT_FOUND"), [false, true, false]);
  assert.deepEqual(kinds("INVALID_CURSOR.DISCONNECTED"), [false, true, false]);
});

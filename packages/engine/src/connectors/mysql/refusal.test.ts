import assert from "node:assert/strict";
import { test } from "node:test";
import { mysqlRefusal, valuelessMessage } from "./refusal.ts";

const canary = "ada' for column 'canary' at row 1";

const mysqlError = (errno: number, sqlState: string, code: string, message: string) =>
  Object.assign(new Error(message), { errno, sqlState, code });

for (const [error, expected] of [
  [
    mysqlError(1062, "23000", "ER_DUP_ENTRY", `Duplicate entry '${canary}' for key 'orders.PRIMARY'`),
    "a duplicate key for the key 'orders.PRIMARY' (ER_DUP_ENTRY, 1062)",
  ],
  [
    mysqlError(
      1366,
      "HY000",
      "ER_TRUNCATED_WRONG_VALUE_FOR_FIELD",
      `Incorrect integer value: '${canary}' for column \`shop\`.\`orders\`.\`qty\` at row 1`,
    ),
    "a value that is not valid for the column 'qty' (ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, 1366)",
  ],
  [
    mysqlError(1644, "45000", "ER_SIGNAL_EXCEPTION", `no orders of ${canary}`),
    "a trigger of the database refuses it (ER_SIGNAL_EXCEPTION, 1644)",
  ],
  [
    mysqlError(3140, "22032", "ER_INVALID_JSON_TEXT", `Invalid JSON text: "x" at '${canary}'`),
    "a text that is not JSON (ER_INVALID_JSON_TEXT, 3140)",
  ],
  [
    mysqlError(1105, "HY000", "ER_UNKNOWN_ERROR", canary),
    "an error whose text may quote rows (ER_UNKNOWN_ERROR, 1105)",
  ],
  [
    mysqlError(1064, "42000", "ER_PARSE_ERROR", `You have an error near '${canary}'`),
    "an error whose text may quote rows (ER_PARSE_ERROR, 1064)",
  ],
  [
    mysqlError(1048, "23000", "ER_BAD_NULL_ERROR", "Column 'name' cannot be null"),
    "Column 'name' cannot be null",
  ],
  [
    mysqlError(1142, "42000", "ER_TABLEACCESS_DENIED_ERROR", "INSERT command denied to user 'ada'@'db'"),
    "INSERT command denied to user 'ada'@'db'",
  ],
  [Object.assign(new Error("connect ETIMEDOUT"), { errno: -110, code: "ETIMEDOUT" }), "connect ETIMEDOUT"],
] as const)
  test(`an error shows names and no values: ${expected}`, () => {
    assert.equal(valuelessMessage(error), expected);
  });

test("the reason of a refused row has the server's words, and its cause no values", () => {
  const error = mysqlError(1062, "23000", "ER_DUP_ENTRY", "Duplicate entry 'ada' for key 'email'");
  assert.deepEqual(mysqlRefusal(error), {
    reason: "Duplicate entry 'ada' for key 'email'",
    cause: "a duplicate key for the key 'email' (ER_DUP_ENTRY, 1062)",
  });
  assert.equal(
    mysqlRefusal(mysqlError(1205, "HY000", "ER_LOCK_WAIT_TIMEOUT", "Lock wait timeout")),
    undefined,
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readAssignments } from "../../../spark/store-assignment.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { parseDatabricksType } from "../../protocol/types.ts";
import { assignedValue } from "./assigned-value.ts";
import { hasTextLength } from "./text-length.ts";

const duckdbType = (type: string): string => (type === "VOID" ? '"NULL"' : (parseDatabricksType(type) ?? ""));

function isRefused(from: string, to: string): boolean {
  const column = { name: "c", type: duckdbType(to), declared: hasTextLength(to) ? to : undefined };
  try {
    assignedValue("v", duckdbType(from), column, { structs: "by position" });
    return false;
  } catch (error) {
    assert.ok(error instanceof DataProblem);
    assert.match(error.message, /^INCOMPATIBLE_DATA_FOR_TABLE: .*\bc\b/);
    return true;
  }
}

test("every pair of types that Spark refuses is refused, and no other", () => {
  for (const { from, stored } of readAssignments()) {
    for (const [to, result] of Object.entries(stored)) {
      const expected = "error" in result && result.error.startsWith("INCOMPATIBLE_DATA_FOR_TABLE");
      assert.equal(isRefused(from, to), expected, `${from} into ${to}`);
    }
  }
});

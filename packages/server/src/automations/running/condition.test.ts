import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateValues } from "../templates.ts";
import { conditionHolds, judge } from "./condition.ts";

const values: TemplateValues = {
  parameters: { day: "2026-03-01", none: "" },
  tasks: { count: { value: 10 } },
  run: { id: "r", time: "2026-03-01T06:00:00Z" },
  environment: { name: "prod" },
};

test("two numbers are compared as numbers, anything else as text", () => {
  const table: [string, "==" | "!=" | "<" | "<=" | ">" | ">=", string, boolean][] = [
    ["{{tasks.count.value}}", ">", "9", true],
    ["{{tasks.count.value}}", "<", "9", false],
    ["{{tasks.count.value}}", "==", "10.0", true],
    ["{{tasks.count.value}} rows", ">", "9", false],
    ["{{parameters.day}}", "<=", "2026-03-01", true],
    ["{{parameters.day}}", ">=", "2026-03-02", false],
    ["{{environment.name}}", "!=", "dev", true],
    ["{{parameters.none}}", "==", "0", false],
    ["{{parameters.none}}", "==", "", true],
  ];
  for (const [left, op, right, expected] of table) {
    assert.equal(conditionHolds({ left, op, right }, values), expected, `${left} ${op} ${right}`);
  }
});

test("one that does not hold says what it compared; one that asks for what is not there cannot be judged", () => {
  const given = (left: string) => judge({ left, op: "==", right: "11" }, values);
  assert.deepEqual(given("{{tasks.count.value}}"), {
    judged: true,
    sentence: 'its condition does not hold, "10" == "11".',
  });
  assert.deepEqual(given("{{tasks.load.value}}"), {
    judged: false,
    sentence: "Its condition cannot be judged: {{tasks.load.value}} has no value in this run.",
  });
  assert.equal(judge({ left: "a", op: "<", right: "b" }, values), "holds");
});

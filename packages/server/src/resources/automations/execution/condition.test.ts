import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateValues } from "../templates.ts";
import { evaluateCondition, isTrue } from "./condition.ts";

const values: TemplateValues = {
  parameters: { day: "2026-03-01", none: "" },
  tasks: { count: { value: 10 }, nothing: { value: null }, large: { value: "9007199254740993" } },
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
    ["{{tasks.large.value}}", ">", "9007199254740992", true],
    ["{{tasks.large.value}}", ">", "1.5", true],
  ];
  for (const [left, op, right, expected] of table) {
    assert.equal(isTrue({ left, op, right }, values), expected, `${left} ${op} ${right}`);
  }
});

test("null equals the empty text, and every other comparison with it is false", () => {
  const nothing = "{{tasks.nothing.value}}";
  const holds = (left: string, op: "==" | "!=" | "<" | "<=" | ">" | ">=", right: string) =>
    isTrue({ left, op, right }, values);
  for (const op of ["==", "!=", "<", "<=", ">", ">="] as const) {
    assert.equal(holds(nothing, op, "5"), false, `nothing ${op} 5`);
    assert.equal(holds("5", op, nothing), false, `5 ${op} nothing`);
    assert.equal(holds(nothing, op, ""), op === "==", `nothing ${op} ""`);
  }
  assert.equal(holds("{{tasks.count.value}}", "!=", ""), true);
  const result = evaluateCondition({ left: nothing, op: "<", right: "5" }, values);
  assert.deepEqual(result, { evaluated: true, sentence: 'its condition is false: null < "5".' });
});

test("a false condition reports its values; a condition with a missing value cannot be evaluated", () => {
  const given = (left: string) => evaluateCondition({ left, op: "==", right: "11" }, values);
  assert.deepEqual(given("{{tasks.count.value}}"), {
    evaluated: true,
    sentence: 'its condition is false: "10" == "11".',
  });
  assert.deepEqual(given("{{tasks.load.value}}"), {
    evaluated: false,
    sentence: "Its condition cannot be evaluated: {{tasks.load.value}} has no value in this run.",
  });
  assert.equal(evaluateCondition({ left: "a", op: "<", right: "b" }, values), "holds");
});

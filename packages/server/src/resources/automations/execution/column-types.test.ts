import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateValues } from "../templates.ts";
import { columnTypes } from "./column-types.ts";

const columns = [
  { name: "total", type: "DECIMAL(10,2)" },
  { name: "customer", type: "STRING" },
  { name: "id", type: "BIGINT" },
];
const values: TemplateValues = {
  parameters: { day: "2026-03-01" },
  tasks: { found: { value: "9.50", output: { columns, rows: [["9.50", "ada", "9007199254740993"]] } } },
  run: { id: "r", time: "2026-03-01T06:00:00Z" },
  environment: { name: "prod" },
};

test("a value from a query keeps the type of its column", () => {
  const templates = {
    value: "{{tasks.found.value}}",
    same: "{{ tasks.found.output.value }}",
    customer: "{{tasks.found.output.rows.0.1}}",
    id: "{{tasks.found.output.rows.0.2}}",
    none: "{{tasks.found.output.rows.0.7}}",
    count: "{{tasks.found.rows}}",
    text: "about {{tasks.found.value}}",
    day: "{{parameters.day}}",
    other: "{{tasks.constructor.value}}",
    plain: 7,
  };
  assert.deepEqual(columnTypes(Object.entries(templates), values), {
    value: "DECIMAL(10,2)",
    same: "DECIMAL(10,2)",
    customer: "STRING",
    id: "BIGINT",
  });
});

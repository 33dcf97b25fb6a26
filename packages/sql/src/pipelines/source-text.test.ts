import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { planPipeline } from "./pipeline-planner.ts";
import type { PipelineFlow, PipelinePlan } from "./plan.ts";
import { locateInFile } from "./source-text.ts";
import { explained, shop } from "./testing/shop.ts";

const sql = await loadSqlParser();
const plan = (text: string): PipelinePlan => planPipeline(sql, [{ path: "1.sql", text }], shop);
const feedingOf = (text: string): readonly PipelineFlow[] => {
  const { problems, steps } = plan(text);
  assert.deepEqual(problems, undefined);
  return steps?.[0]?.dataset?.flows ?? [];
};

test("an offset in a SELECT is located in the file, before and after a substituted value", () => {
  const text =
    "-- 😀\nCREATE VIEW v AS /* 😀 */ SELECT id,\n '😀${day}' AS d, '${day}' AS e, name\nFROM customers";
  const [flows] = feedingOf(text);
  assert.ok(flows?.kind === "select");
  const { select, segments } = flows;
  assert.equal(select, "SELECT id,\n '😀2024-01-01' AS d, '2024-01-01' AS e, name\nFROM customers");
  const locations = ["SELECT", "id", "😀", "2024", "AS d", "AS e", "name", "customers"].map((word) => {
    const { line, column } = locateInFile(select, segments, select.indexOf(word));
    return `${word} ${line}:${column}`;
  });
  assert.deepEqual(locations, [
    "SELECT 2:26",
    "id 2:33",
    "😀 3:3",
    "2024 3:4",
    "AS d 3:12",
    "AS e 3:27",
    "name 3:33",
    "customers 4:6",
  ]);
});

test("a key in a comment is part of the comment", () => {
  const text = "-- from ${start}; to ${day}\nCREATE VIEW v AS /* ${x}\n ${y} */ SELECT '-- ${day}' AS d";
  const [flows] = feedingOf(text);
  assert.ok(flows?.kind === "select");
  assert.equal(flows.select, "SELECT '-- 2024-01-01' AS d");
});

test("a notebook is its SQL cells", () => {
  const notebook = `-- Databricks notebook source
-- MAGIC %md
-- MAGIC # Orders; 'and' more

-- COMMAND ----------

-- DBTITLE 1,First
CREATE VIEW a AS SELECT * FROM customers

-- COMMAND ----------

CREATE VIEW b AS SELECT * FROM a
`;
  assert.deepEqual(explained(plan(notebook)), ["view a (id name) <- customers", "view b (id name) <- a"]);
  assert.deepEqual(
    explained(plan(`${notebook}\n-- COMMAND ----------\n\n-- MAGIC %python\n-- MAGIC x = 1`)),
    [
      "1.sql:16:1 a %python cell needs Databricks: this platform runs SQL only, the platform databricks runs it.",
    ],
  );
});

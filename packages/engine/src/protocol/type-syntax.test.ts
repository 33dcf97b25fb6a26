import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMsOf } from "@lakehelm/testing/linear";
import { isDuckdbType } from "./type-syntax.ts";

test("types as DuckDB writes them are accepted", () => {
  for (const type of [
    "VARCHAR",
    "DECIMAL(12,2)",
    "DECIMAL(12, 2)[]",
    "TIMESTAMP WITH TIME ZONE",
    "TIME WITH TIME ZONE[]",
    "TIMESTAMP_NS",
    "INTEGER[3][]",
    'STRUCT("a b"")" INTEGER, q VARCHAR, "with" TIMESTAMP WITH TIME ZONE)[]',
    "STRUCT(INTEGER, VARCHAR)",
    "MAP(VARCHAR, STRUCT(a INTEGER[]))",
    "UNION(num INTEGER, str VARCHAR)",
    "ENUM('it''s)', ';')[]",
    '"my type"',
    "GEOMETRY('EPSG:4326')",
  ]) {
    assert.equal(isDuckdbType(type), true, type);
  }
});

test("texts that are more than a type are refused", () => {
  for (const type of [
    "",
    "VARCHAR; DROP TABLE t",
    "VARCHAR)",
    "VARCHAR, b INTEGER",
    "VARCHAR DEFAULT 1",
    "VARCHAR DEFAULT (1)",
    "INTEGER GENERATED ALWAYS AS (1)",
    "DECIMAL(1,2)); DROP TABLE t; SELECT CAST(1 AS INTEGER[]",
    "STRUCT(a INTEGER) AS x)[]",
    "STRUCT(a INTEGER",
    "STRUCT(a b c)",
    "STRUCT(a (SELECT 1))",
    "VARCHAR --",
    "VARCHAR /* x */",
    '"open',
    "'text'",
    "INTEGER[a]",
    "TIMESTAMP WITH",
    "VARCHAR\0",
    `${"STRUCT(a ".repeat(100)}INTEGER${")".repeat(100)}`,
  ]) {
    assert.equal(isDuckdbType(type), false, type);
  }
});

test("a long text is checked in linear time", async () => {
  const texts = [
    '"'.repeat(99_999),
    "a ".repeat(49_999),
    `ENUM(${"'a',".repeat(24_000)}'a')`,
    " ".repeat(99_999),
  ];
  const ms = await cpuMsOf(() => texts.forEach(isDuckdbType));
  assert.ok(ms < 500, `${ms} ms`);
});

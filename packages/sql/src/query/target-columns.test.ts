import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { describeProblem } from "../source-location.ts";
import { shop } from "../testing/shop.ts";
import { analyzeSelect } from "./select-analysis.ts";
import { columnMismatches } from "./target-columns.ts";

const sql = await loadSqlParser();
const against = (text: string, targetColumns: readonly string[]) =>
  columnMismatches(analyzeSelect(sql, text, shop).columns ?? [], targetColumns, "matched_sql").map(
    describeProblem,
  );

test("columns match in any order and any case", () => {
  assert.deepEqual(against("SELECT b, A FROM orders", ["a", "B"]), []);
});

test("missing and unknown columns are reported with their locations", () => {
  assert.deepEqual(against("SELECT\n  id,\n  amount AS revenu\nFROM orders", ["id", "revenue", "day"]), [
    "matched_sql, line 2, column 3: the column revenue of the target is missing: add it to this SELECT.",
    "matched_sql, line 2, column 3: the column day of the target is missing: add it to this SELECT.",
    "matched_sql, line 3, column 13: revenu is not a column of the target. Did you mean revenue?",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { fits } from "./fits.ts";
import { loadSql } from "./load.ts";
import { readSelect } from "./read-select.ts";
import { sentence } from "./source-location.ts";
import { shop } from "./testing/sources.ts";

const sql = await loadSql();
const against = (text: string, wanted: readonly string[]) =>
  fits(readSelect(sql, text, shop).columns ?? [], wanted, "matched_sql").map(sentence);

test("columns fit in any order and any case", () => {
  assert.deepEqual(against("SELECT b, A FROM orders", ["a", "B"]), []);
});

test("what is missing and what is too much is told with its place", () => {
  assert.deepEqual(against("SELECT\n  id,\n  amount AS revenu\nFROM orders", ["id", "revenue", "day"]), [
    "matched_sql, line 2, column 3: the column revenue of the target is missing: add it to this SELECT.",
    "matched_sql, line 2, column 3: the column day of the target is missing: add it to this SELECT.",
    "matched_sql, line 3, column 13: revenu is not a column of the target. Did you mean revenue?",
  ]);
});

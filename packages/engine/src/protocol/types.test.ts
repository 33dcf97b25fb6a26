import assert from "node:assert/strict";
import { test } from "node:test";
import { databricksType, parseDatabricksType } from "./types.ts";

const pairs: readonly (readonly [string, string])[] = [
  ["BIGINT", "BIGINT"],
  ["INTEGER", "INT"],
  ["VARCHAR", "STRING"],
  ["BLOB", "BINARY"],
  ["DECIMAL(12,2)", "DECIMAL(12,2)"],
  ["TIMESTAMP WITH TIME ZONE", "TIMESTAMP"],
  ["TIMESTAMP", "TIMESTAMP_NTZ"],
  ["VARCHAR[]", "ARRAY<STRING>"],
  ["DECIMAL(12,2)[][]", "ARRAY<ARRAY<DECIMAL(12,2)>>"],
  ["MAP(VARCHAR, INTEGER[])", "MAP<STRING, ARRAY<INT>>"],
  ['STRUCT("a" INTEGER, "b" STRUCT("c, d" VARCHAR)[])', "STRUCT<a: INT, b: ARRAY<STRUCT<`c, d`: STRING>>>"],
];

for (const [stored, shown] of pairs) {
  test(`the DuckDB type ${stored} is ${shown} in Databricks, and back`, () => {
    assert.equal(databricksType(stored), shown);
    assert.equal(parseDatabricksType(shown), stored);
  });
}

test("a DuckDB type that Databricks does not have maps to a type that holds all its values", () => {
  assert.deepEqual(["HUGEINT", "UUID", "JSON", "ENUM('a', 'b')", "INTEGER[3]", "TIME"].map(databricksType), [
    "DECIMAL(38,0)",
    "STRING",
    "STRING",
    "STRING",
    "ARRAY<INT>",
    "TIME",
  ]);
});

test("parsing accepts synonyms, any case and whitespace; an unknown type is undefined", () => {
  assert.equal(parseDatabricksType(" decimal ( 10 , 2 ) "), "DECIMAL(10,2)");
  assert.equal(parseDatabricksType("varchar(20)"), "VARCHAR");
  assert.equal(parseDatabricksType("struct<a int, b: long>"), 'STRUCT("a" INTEGER, "b" BIGINT)');
  for (const nonsense of ["", "nonsense", "ARRAY<nonsense>", "MAP<STRING>", "STRUCT<a>"]) {
    assert.equal(parseDatabricksType(nonsense), undefined, nonsense);
  }
});

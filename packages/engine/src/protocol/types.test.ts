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
  test(`${stored} is shown as ${shown}, and the other way round`, () => {
    assert.equal(databricksType(stored), shown);
    assert.equal(parseDatabricksType(shown), stored);
  });
}

test("what Databricks does not have is shown as what holds it", () => {
  assert.deepEqual(["HUGEINT", "UUID", "JSON", "ENUM('a', 'b')", "INTEGER[3]", "TIME"].map(databricksType), [
    "DECIMAL(38,0)",
    "STRING",
    "STRING",
    "STRING",
    "ARRAY<INT>",
    "TIME",
  ]);
});

test("other spellings are understood, and nonsense is not", () => {
  assert.equal(parseDatabricksType(" decimal ( 10 , 2 ) "), "DECIMAL(10,2)");
  assert.equal(parseDatabricksType("varchar(20)"), "VARCHAR");
  assert.equal(parseDatabricksType("struct<a int, b: long>"), 'STRUCT("a" INTEGER, "b" BIGINT)');
  for (const nonsense of ["", "nonsense", "ARRAY<nonsense>", "MAP<STRING>", "STRUCT<a>"]) {
    assert.equal(parseDatabricksType(nonsense), undefined, nonsense);
  }
});

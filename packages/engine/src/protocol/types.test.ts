import assert from "node:assert/strict";
import { test } from "node:test";
import { shownType, storedType } from "./types.ts";

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
    assert.equal(shownType(stored), shown);
    assert.equal(storedType(shown), stored);
  });
}

test("what Databricks does not have is shown as what holds it", () => {
  assert.deepEqual(["HUGEINT", "UUID", "JSON", "ENUM('a', 'b')", "INTEGER[3]", "TIME"].map(shownType), [
    "DECIMAL(38,0)",
    "STRING",
    "STRING",
    "STRING",
    "ARRAY<INT>",
    "TIME",
  ]);
});

test("other spellings are understood, and nonsense is not", () => {
  assert.equal(storedType(" decimal ( 10 , 2 ) "), "DECIMAL(10,2)");
  assert.equal(storedType("varchar(20)"), "VARCHAR");
  assert.equal(storedType("struct<a int, b: long>"), 'STRUCT("a" INTEGER, "b" BIGINT)');
  for (const nonsense of ["", "nonsense", "ARRAY<nonsense>", "MAP<STRING>", "STRUCT<a>"]) {
    assert.equal(storedType(nonsense), undefined, nonsense);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isWidening, widerOnDelta, widerType } from "./type-widening.ts";

const wider: readonly (readonly [string, string, string | undefined])[] = [
  ["INTEGER", "BIGINT", "BIGINT"],
  ["TINYINT", "UTINYINT", "SMALLINT"],
  ["USMALLINT", "UINTEGER", "UINTEGER"],
  ["BIGINT", "UBIGINT", "HUGEINT"],
  ["HUGEINT", "UHUGEINT", undefined],
  ["INTEGER", "DECIMAL(5,2)", "DECIMAL(12,2)"],
  ["BIGINT", "DECIMAL(18,0)", "BIGINT"],
  ["BIGINT", "DECIMAL(20,0)", "DECIMAL(20,0)"],
  ["DECIMAL(10,2)", "DECIMAL(8,4)", "DECIMAL(12,4)"],
  ["DECIMAL(38,0)", "DECIMAL(38,10)", undefined],
  ["SMALLINT", "FLOAT", "FLOAT"],
  ["INTEGER", "FLOAT", "DOUBLE"],
  ["BIGINT", "DOUBLE", undefined],
  ["FLOAT", "DOUBLE", "DOUBLE"],
  ["DECIMAL(4,2)", "DOUBLE", undefined],
  ["DATE", "TIMESTAMP", "TIMESTAMP"],
  ["DATE", "TIMESTAMP WITH TIME ZONE", undefined],
  ["TIMESTAMP", "TIMESTAMP_NS", undefined],
  ["INTEGER", "VARCHAR", undefined],
  ["ENUM('a', 'b')", "ENUM('b', 'c, d')", "ENUM('a', 'b', 'c, d')"],
  ["INTEGER[]", "BIGINT[]", "BIGINT[]"],
  ["INTEGER[3]", "INTEGER[]", "INTEGER[]"],
  ["MAP(VARCHAR, SMALLINT)", "MAP(VARCHAR, INTEGER)", "MAP(VARCHAR, INTEGER)"],
  ["STRUCT(a INTEGER)", 'STRUCT(a BIGINT, "b c" DATE)', 'STRUCT(a BIGINT, "b c" DATE)'],
  ["STRUCT(a INTEGER)", "STRUCT(a VARCHAR)", undefined],
];

test("the wider of two types holds both, in either order", () => {
  for (const [one, other, expected] of wider) {
    assert.equal(widerType(one, other), expected, `${one}, ${other}`);
    const inOrder = widerType(other, one);
    if (expected?.startsWith("ENUM")) assert.equal(inOrder?.length, expected.length);
    else assert.equal(inOrder, expected, `${other}, ${one}`);
  }
});

test("text holds every plain value, but is not what a number widens to", () => {
  assert.deepEqual(
    [isWidening("DECIMAL(3,1)", "VARCHAR"), isWidening("INTEGER[]", "VARCHAR")],
    [true, false],
  );
  assert.equal(widerType("INTEGER", "VARCHAR"), undefined);
});

test("Delta widens integers to larger decimals than they need", () => {
  assert.equal(widerOnDelta("SMALLINT", "DECIMAL(6,1)"), "DECIMAL(11,1)");
  assert.equal(widerOnDelta("BIGINT", "DECIMAL(19,0)"), "DECIMAL(20,0)");
  assert.equal(widerOnDelta("SMALLINT", "FLOAT"), "DOUBLE");
  assert.equal(widerOnDelta("DECIMAL(9,0)", "BIGINT"), "DECIMAL(19,0)");
});

import assert from "node:assert/strict";
import test from "node:test";
import { hostileText } from "@lakehelm/sql/testing";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { isComparable, isNested, parseColumnType } from "./column-type.ts";

const read = (text: string) => {
  const type = parseColumnType(text);
  return "problem" in type ? assert.fail(type.problem) : type;
};
const problem = (text: string) => {
  const type = parseColumnType(text);
  return "problem" in type ? type.problem : assert.fail(`${text} was accepted`);
};

test("types are normalized to one spelling", () => {
  const spellings = {
    int: "INT",
    " Integer ": "INT",
    long: "BIGINT",
    real: "FLOAT",
    decimal: "DECIMAL(10, 0)",
    "dec(5)": "DECIMAL(5, 0)",
    "numeric ( 18 , 2 )": "DECIMAL(18, 2)",
    "character(3)": "CHAR(3)",
    "varchar(10)": "VARCHAR(10)",
    timestamp_ltz: "TIMESTAMP",
    timestamp_ntz: "TIMESTAMP_NTZ",
    "array<array<int>>": "ARRAY<ARRAY<INT>>",
    "map<string,decimal(3,1)>": "MAP<STRING, DECIMAL(3, 1)>",
    "struct<a int, `b c`: array<string>>": "STRUCT<a: INT, `b c`: ARRAY<STRING>>",
    "struct<`a``b`:int>": "STRUCT<`a``b`: INT>",
    variant: "VARIANT",
  };
  for (const [text, sql] of Object.entries(spellings)) assert.equal(read(text).sql, sql);
});

test("nested types decide how a type can be used", () => {
  assert.ok(isComparable(read("struct<a:array<int>>")));
  assert.ok(!isComparable(read("array<struct<a:map<int,int>>>")));
  assert.ok(!isComparable(read("struct<a:variant>")));
  assert.ok(isNested(read("variant")) && isNested(read("array<int>")) && !isNested(read("binary")));
  assert.equal(read("struct<a:int,b:struct<c:int,d:array<int>>>").leaves, 3);
});

test("anything else is refused with a reason", () => {
  assert.match(problem("text"), /^"text" is not a type: it contains "TEXT"\. Expected BOOLEAN, /);
  assert.match(problem(""), /it ends too early/);
  assert.match(problem("int not null"), /continues with "not" where it should end/);
  assert.match(problem("decimal(39,2)"), /has "39" as its precision, which must be from 1 to 38/);
  assert.match(problem("decimal(4,5)"), /has "5" as its scale, which must be from 0 to 4/);
  assert.match(problem("varchar"), /ends where "\(" is expected/);
  assert.match(problem("array<int"), /ends where ">" is expected/);
  assert.match(problem("map<map<int,int>,int>"), /has a MAP as a key of a MAP/);
  assert.match(problem("struct<>"), /has an invalid field: a field needs a name/);
  assert.match(problem("struct<a:int,A:int>"), /two fields of the same name/);
  assert.match(problem("struct<`${x}`:int>"), /which Spark and bundles would replace/);
  assert.match(problem("int); DROP TABLE t; --"), /continues with "\)"/);
  assert.match(problem("array<".repeat(10_000)), /nested more than 20 times/);
});

test("hostile text is refused, or becomes a type that parses to itself", () => {
  const around = fc.constantFrom("", "int", "struct<`", "`:int>", "array<", ">", "varchar(", ")");
  fc.assert(
    fc.property(around, hostileText(), around, (before, text, after) => {
      const type = parseColumnType(before + text + after);
      if ("problem" in type) return;
      assert.deepEqual(parseColumnType(type.sql), type);
    }),
    { numRuns: randomCases(2_000) },
  );
});

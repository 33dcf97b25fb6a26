import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, comparableOfSpark, isSame, toleranceOf } from "./comparison.ts";

test("only the value of a type is written in another way, also inside of others", () => {
  assert.equal(comparable("2026-01-02T03:04:05.500Z", "TIMESTAMP"), "2026-01-02 03:04:05.5");
  assert.deepEqual(comparable(["2026-01-02T03:04:05Z"], "ARRAY<TIMESTAMP>"), ["2026-01-02 03:04:05"]);
  assert.deepEqual(comparable({ at: "2026-01-02T03:04:05Z" }, "STRUCT<AT:TIMESTAMP>"), {
    at: "2026-01-02 03:04:05",
  });
  assert.deepEqual(comparable({ a: ["nan", "-inf"] }, "MAP<STRING,ARRAY<DOUBLE>>"), {
    a: ["NaN", "-Infinity"],
  });
  assert.deepEqual(comparable(["YQ=="], "ARRAY<BINARY>"), comparableOfSpark(["61"], "ARRAY<BINARY>"));
  for (const text of ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05.500", "nan", "inf", "-0.0"]) {
    assert.equal(comparable(text, "STRING"), text);
    assert.deepEqual(comparable([text], "ARRAY<STRING>"), [text]);
    assert.deepEqual(comparable({ s: text, t: null }, "STRUCT<S:STRING,T:TIMESTAMP>"), { s: text, t: null });
  }
});

test("numbers are the same if they are equal, or nearly where engines compute in their own ways", () => {
  const [fifth, nearly] = [0.2, 0.20000000000000004];
  assert.ok(!isSame(fifth, nearly));
  assert.ok(isSame([fifth], [nearly], toleranceOf("ln(a)")));
  assert.ok(!isSame(fifth, nearly, toleranceOf("round(a, 2)")));
  for (const tolerance of [0, toleranceOf("exp(a)")]) {
    assert.ok(!isSame(0, 4.9e-324, tolerance));
    assert.ok(!isSame(1e-20, 0, tolerance));
    assert.ok(!isSame(0, comparableOfSpark("-0.0", "DOUBLE"), tolerance));
  }
});

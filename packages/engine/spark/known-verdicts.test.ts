import assert from "node:assert/strict";
import { test } from "node:test";
import { generatedCalls, keyOf, setsOf } from "./generated-cases.ts";
import { expectedVerdict, isRefusedForAll, knownDifferences, knownRefusals } from "./known-verdicts.ts";

test("a row is listed once, and exists", () => {
  const sizes = new Map(generatedCalls.map((call) => [keyOf(call), setsOf(call).length]));
  const listed = [...knownDifferences, ...knownRefusals].flatMap(({ calls }) =>
    calls.flatMap(({ key, rows }) => [...rows].map((row) => ({ key, row, text: `${key} # ${row}` }))),
  );
  assert.deepEqual(
    listed.filter(({ key, row }) => !(row < (sizes.get(key) ?? 0))),
    [],
  );
  const texts = listed.map(({ text }) => text);
  assert.deepEqual(
    texts.filter((text, at) => texts.indexOf(text) !== at),
    [],
  );
});

test("a listed row is expected to differ or to be refused, and no other row of its call", () => {
  assert.equal(expectedVerdict("split(a, b) : text,pattern", 4), "different");
  assert.equal(expectedVerdict("split(a, b) : text,pattern", 5), "same");
  assert.equal(expectedVerdict("crc32(a) : text", 0), "refused");
});

test("a call is refused for all rows if each is refused that Spark has a value for", () => {
  assert.ok(isRefusedForAll("crc32(a) : text"));
  assert.ok(!isRefusedForAll("ln(a) : small"));
  assert.ok(!isRefusedForAll("upper(a) : text"));
});

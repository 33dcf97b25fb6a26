import assert from "node:assert/strict";
import { test } from "node:test";
import { readYaml } from "./yaml.ts";

function written(text: string) {
  const read = readYaml(text);
  assert.ok("value" in read, "it was rejected");
  return read;
}
const problemsOf = (text: string) => {
  const read = readYaml(text);
  return "problems" in read
    ? read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};

test("YAML and JSON are parsed like JSON: large integers keep their digits", () => {
  assert.deepEqual(written("a: 12345678901234567890\nb: [1, 2.5, on, ~]\n1: x").value, {
    a: 12345678901234567890n,
    b: [1, 2.5, "on", null],
    1: "x",
  });
  assert.deepEqual(written('{\n\t"a": {"b": [1]}\n}').value, { a: { b: [1] } });
});

test("a value has a source location; a missing value has the location of its parent", () => {
  const { positionOf, positionOfKey, positionIn } = written(
    "tasks:\n  - name: a\n    query: |\n\n      select 1\n        from x\n  - {name: b}\n",
  );
  assert.deepEqual(positionOf(["tasks", 0, "name"]), { line: 2, column: 11 });
  assert.deepEqual(positionOf(["tasks", 1, "kind"]), { line: 7, column: 5 });
  assert.deepEqual(positionOf(["schedule", "cron"]), { line: 1, column: 1 });
  assert.deepEqual(positionOfKey(["tasks", 0, "query"]), { line: 3, column: 5 });
  assert.deepEqual(positionIn(["tasks", 0, "query"], { line: 3, column: 8 }), { line: 6, column: 14 });
  assert.equal(positionIn(["tasks", 0, "name"], { line: 1, column: 1 }), undefined);
});

test("a problem is reported with its line and column", () => {
  assert.deepEqual(problemsOf("a: 1\nb: [1"), [
    "2:6 Flow sequence in block collection must be sufficiently indented and end with a ].",
  ]);
  assert.deepEqual(problemsOf("a: 1\na: 2"), ['2:1 Duplicate key "a".']);
  assert.deepEqual(problemsOf("a: &x 1\nb: *x"), [
    "1:7 Anchors and aliases are not supported.",
    "2:4 Anchors and aliases are not supported.",
  ]);
  assert.deepEqual(problemsOf("a: &x {b: 1}\nc: !!map {d: 1, d: 2}"), [
    "1:7 Anchors and aliases are not supported.",
    "2:10 Tags are not supported: tag:yaml.org,2002:map.",
    '2:17 Duplicate key "d".',
  ]);
  assert.deepEqual(problemsOf("a: .nan\nb: 1e999"), [
    "1:4 .nan is not a JSON number.",
    "2:4 1e999 is not a JSON number.",
  ]);
  assert.deepEqual(problemsOf('a: "\\ud800"'), ["1:4 The text contains an unpaired surrogate."]);
  assert.deepEqual(problemsOf("? [a]\n: 1"), ["1:3 A key must be a string."]);
  assert.deepEqual(problemsOf("a: 1\n---\nb: 2"), ["2:1 A second document starts here. Send one document."]);
  assert.match(problemsOf("a: !!binary aGk=").join(), /^1:\d+ Tags are not supported/);
});

test("a text that would take long to parse is rejected", () => {
  assert.deepEqual(problemsOf(" ".repeat(100_001)), ["1:1 It has more than 100000 characters."]);
  assert.notDeepEqual(problemsOf("[".repeat(50_000)), []);
  // Linear in the number of keys: four times as many take about four times as long, where comparing every pair takes sixteen.
  assert.ok(readingTime(10_000) < 10 * readingTime(2_500));
});

/** The minimum processor time for reading a map with this many keys. */
function readingTime(count: number): number {
  const keys = `{${Array.from({ length: count }, (_, n) => `k${n}: 1`).join(",")}}`;
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    assert.equal(Object.keys(written(keys).value as object).length, count);
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

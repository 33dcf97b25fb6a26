import assert from "node:assert/strict";
import { test } from "node:test";
import { readYaml } from "./read.ts";

async function written(text: string) {
  const read = await readYaml(text, { owner: "author" });
  assert.ok("value" in read, "it was rejected");
  return read;
}
const problemsOf = async (text: string) => {
  const read = await readYaml(text, { owner: "author" });
  return "problems" in read
    ? read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};

test("YAML and JSON are parsed like JSON: large integers keep their digits", async () => {
  assert.deepEqual((await written("a: 12345678901234567890\nb: [1, 2.5, on, ~]\n1: x")).value, {
    a: 12345678901234567890n,
    b: [1, 2.5, "on", null],
    1: "x",
  });
  assert.deepEqual((await written('{\n\t"a": {"b": [1]}\n}')).value, { a: { b: [1] } });
});

test("a value has a source location; a missing value has the location of its parent", async () => {
  const { positionOf, positionOfKey, positionIn } = await written(
    "tasks:\n  - name: a\n    query: |\n\n      select 1\n        from x\n  - {name: b}\n",
  );
  assert.deepEqual(positionOf(["tasks", 0, "name"]), { line: 2, column: 11 });
  assert.deepEqual(positionOf(["tasks", 1, "kind"]), { line: 7, column: 5 });
  assert.deepEqual(positionOf(["schedule", "cron"]), { line: 1, column: 1 });
  assert.deepEqual(positionOfKey(["tasks", 0, "query"]), { line: 3, column: 5 });
  assert.deepEqual(positionIn(["tasks", 0, "query"], { line: 3, column: 8 }), { line: 6, column: 14 });
  assert.equal(positionIn(["tasks", 0, "name"], { line: 1, column: 1 }), undefined);
});

test("a problem is reported with its line and column", async () => {
  assert.deepEqual(await problemsOf("a: 1\nb: [1"), [
    "2:6 Flow sequence in block collection must be sufficiently indented and end with a ].",
  ]);
  assert.deepEqual(await problemsOf("a: 1\na: 2"), ['2:1 Duplicate key "a".']);
  assert.deepEqual(await problemsOf("a: &x 1\nb: *x"), [
    "1:7 Anchors and aliases are not supported.",
    "2:4 Anchors and aliases are not supported.",
  ]);
  assert.deepEqual(await problemsOf("a: &x {b: 1}\nc: !!map {d: 1, d: 2}"), [
    "1:7 Anchors and aliases are not supported.",
    "2:10 Tags are not supported: tag:yaml.org,2002:map.",
    '2:17 Duplicate key "d".',
  ]);
  assert.deepEqual(await problemsOf("a: .nan\nb: 1e999"), [
    "1:4 .nan is not a JSON number.",
    "2:4 1e999 is not a JSON number.",
  ]);
  assert.deepEqual(await problemsOf('a: "\\ud800"'), ["1:4 The text contains an unpaired surrogate."]);
  assert.deepEqual(await problemsOf("? [a]\n: 1"), ["1:3 A key must be a string."]);
  assert.deepEqual(await problemsOf("a: 1\n---\nb: 2"), [
    "2:1 A second document starts here. Send one document.",
  ]);
  assert.match((await problemsOf("a: !!binary aGk=")).join(), /^1:\d+ Tags are not supported/);
});

test("the value and its positions are the same, whether the text is parsed at once or in the thread", async () => {
  const short = "b: {c: [1, 2.5], 2: x}\n1: [~, {d}]\n__proto__: |\n  one\n   two\nn: 12345678901234567890\n";
  const long = `${short}# ${"x".repeat(2_000)}\n`;
  const [one, other] = [await written(short), await written(long)];
  assert.deepEqual(other.value, one.value);
  assert.deepEqual(Object.keys(other.value as object), ["1", "b", "__proto__", "n"]);
  const paths = [[], ["b"], ["b", "c", 1], ["b", "2"], ["1", 0], ["1", 1, "d"], ["n"], ["x"], ["b", "x", 0]];
  for (const path of paths) {
    assert.deepEqual(other.positionOf(path), one.positionOf(path), path.join());
    assert.deepEqual(other.positionOfKey(path), one.positionOfKey(path), path.join());
  }
  assert.deepEqual(other.positionOf(["b", "2"]), { line: 1, column: 21 });
  assert.deepEqual(other.positionOfKey(["b", "2"]), { line: 1, column: 18 });
  assert.deepEqual(other.positionOf(["1", 1, "d"]), { line: 2, column: 8 });
  assert.deepEqual(other.positionIn(["__proto__"], { line: 2, column: 2 }), { line: 5, column: 4 });
});

test("a text that is too long or nested too deeply is rejected", async () => {
  assert.deepEqual(await problemsOf(" ".repeat(100_001)), ["1:1 It has more than 100000 characters."]);
  assert.deepEqual(await problemsOf(`${"[".repeat(901)}1${"]".repeat(901)}`), [
    "1:1 It is nested too deeply.",
  ]);
  assert.match((await problemsOf("[".repeat(50_000))).join(), /It is nested too deeply\./);
  assert.equal(typeof (await written(`${"[".repeat(800)}1${"]".repeat(800)}`)).value, "object");
});

test("of thousands of problems, the first hundred are reported", async () => {
  for (const text of [
    "]".repeat(5_000),
    "a: 1\n".repeat(5_000),
    "- *a\n".repeat(5_000),
    `{${"a: *a,".repeat(2_000)}}`,
  ]) {
    assert.equal((await problemsOf(text)).length, 100, text.slice(0, 10));
  }
});

test("texts of other owners do not wait for all texts of one", async () => {
  const order: string[] = [];
  const parse = async (owner: string) => {
    await readYaml("- a\n".repeat(1_000), { owner });
    order.push(owner);
  };
  await Promise.all([...Array.from({ length: 10 }, () => parse("one")), parse("other")]);
  assert.ok(order.indexOf("other") <= 2, order.join());
  const refused = await Promise.allSettled(Array.from({ length: 40 }, () => parse("one")));
  const reasons = refused.flatMap((result) => (result.status === "rejected" ? [result.reason.message] : []));
  assert.equal(reasons.length, 19);
  assert.match(reasons[0], /You have too many YAML texts at once/);
});

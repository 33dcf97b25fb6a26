import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { jsonProblems } from "./json-file.ts";
import { plainTextProblems } from "./plain-text.ts";

suite("text", () => {
  test("with whole characters and line feeds is accepted", () =>
    assert.deepEqual(plainTextProblems("a\n😀 \u2028\n"), []));
  const wrong: [content: string, expected: RegExp][] = [
    ["a\nb\r\nc\n", /line 2, column 2/],
    ["a\0\n", /NUL/],
    ["\uFEFFa\n", /byte order mark/],
    ["\uD83D\n", /lone surrogate/],
    ["a", /no line end/],
    ["", /no line end/],
  ];
  for (const [content, expected] of wrong) {
    test(`${JSON.stringify(content)} is refused`, () =>
      assert.match(plainTextProblems(content).join(), expected));
  }
});

suite("JSON", () => {
  test("in canonical form is accepted", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        assert.deepEqual(jsonProblems(`${JSON.stringify(value, null, 2)}\n`), []);
      }),
    );
  });
  for (const content of [
    "",
    "{",
    '{"a": 1}\n',
    "{}",
    '{\n  "a": 1,\n  "a": 1\n}\n',
    "[1]\n",
    "{}\n\n",
    "NaN\n",
    "1e400\n",
  ]) {
    test(`${JSON.stringify(content)} is refused`, () => assert.equal(jsonProblems(content).length, 1));
  }
  test("that does not parse is not quoted in the problem", () => {
    assert.doesNotMatch(jsonProblems('{"password": "s3cr3t-value" oops').join(), /s3cr3t/);
  });
});

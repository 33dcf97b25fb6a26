import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { sqlString } from "../names/literals.ts";
import { stringValue } from "./string-literal.ts";

/** Verified with Spark 4.1. */
const read: readonly (readonly [string, string | undefined])[] = [
  ["'a'", "a"],
  ['"a\'b"', "a'b"],
  ["'\\\\ \\' \\\" \\n\\t\\r\\0\\b\\Z'", "\\ ' \" \n\t\r\0\b\u001a"],
  ["'\\u0041\\U0001F600\\101\\177'", "A😀A\u007f"],
  ["'\\u12 \\U000041 \\01 \\8 \\400'", "u12 U000041 \0" + "1 8 400"],
  ["'\\% \\_ % _'", "\\% \\_ % _"],
  ["'\\x\\a\\😀'", "xa😀"],
  ["r'\\n'", "\\n"],
  // A doubled quote: one quote in Spark 4, nothing in earlier releases.
  ["'it''s'", undefined],
  ["X'1F'", undefined],
  ["'\\UFFFFFFFF'", undefined],
  ["'\\ud83d'", undefined],
];

for (const [literal, expected] of read) {
  test(`${literal} has the value ${JSON.stringify(expected)}`, () =>
    assert.equal(stringValue(literal), expected));
}

test("every generated literal is read back as its text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => assert.equal(stringValue(sqlString(text)), text)),
    { numRuns: randomCases(1_000) },
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuery } from "./query.ts";

const rows: [string, string, Record<string, string>][] = [
  ["the mark in front does not belong to it", "?skip=1", { skip: "1" }],
  ["nothing is no parameter", "", {}],
  ["empty pairs are skipped", "&&a=1&", { a: "1" }],
  ["only & splits", "skip=5;a=b", { skip: "5;a=b" }],
  ["an encoded & does not split", "skip=5%26a=b", { skip: "5&a=b" }],
  ["a name without = has the value empty", "skip&limit=", { skip: "", limit: "" }],
  ["only the first = separates", "a=b=c", { a: "b=c" }],
  ["the last value counts", "skip=1&skip=2", { skip: "2" }],
  ["+ is a space, %2B a plus", "a=+5&b=%2B5", { a: " 5", b: "+5" }],
  ["names are decoded and case-sensitive", "%73kip=1&SKIP=2", { skip: "1", SKIP: "2" }],
  ["brackets make another name", "skip[]=1&skip.x=2", { "skip[]": "1", "skip.x": "2" }],
  ["%XX is UTF-8, in either case", "a=%C3%A9%f0%9f%98%80", { a: "é😀" }],
  [
    "what is no UTF-8 becomes U+FFFD",
    "a=%FF&b=%C3x&c=%ED%A0%80",
    { a: "\ufffd", b: "\ufffdx", c: "\ufffd".repeat(3) },
  ],
  ["a byte order mark stays", "a=%EF%BB%BF5", { a: "\ufeff5" }],
  ["a stray % stays", "a=%&b=%2&c=%zz&d=%%35", { a: "%", b: "%2", c: "%zz", d: "%5" }],
  ["a raw character stays", "a=é", { a: "é" }],
];
for (const [rule, search, expected] of rows) {
  test(`query: ${rule}`, () => assert.deepEqual(Object.fromEntries(parseQuery(search)), expected));
}

test("query: __proto__ is an ordinary name", () => {
  assert.equal(parseQuery("__proto__=1").get("__proto__"), "1");
});

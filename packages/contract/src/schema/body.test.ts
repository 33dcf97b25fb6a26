import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody } from "./json.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const json = (bytes: Uint8Array | number[]) => readBody(Uint8Array.from(bytes), "application/json");
const unreadable = { unreadable: "There was an error parsing the body" };

test("no bytes are no body, whatever the type", () => {
  for (const type of ["application/json", "text/plain", undefined]) {
    assert.deepEqual(readBody(new Uint8Array(), type), { none: true });
  }
});

const jsonTypes = ["application/json", "APPLICATION/JSON", "application/json ; charset=latin-1"];
jsonTypes.push("application/problem+json", "application/+json", " application/json");
for (const type of jsonTypes) {
  test(`${type} is JSON`, () => assert.deepEqual(readBody(utf8("[5]"), type), { value: [5] }));
}

const otherTypes = [
  "text/json",
  "application/x-json",
  "application/jsonp",
  "application/json, text/plain",
  "",
  "json",
];
otherTypes.push("application/json/x", "*/*", "application/ json", ";application/json");
for (const type of [...otherTypes, undefined]) {
  test(`${type} is not JSON: the body is one string`, () => {
    assert.deepEqual(readBody(utf8("[5]"), type), { value: "[5]" });
  });
}

test("the content type is checked before the encoding: malformed JSON of another type is a string with its byte order mark", () => {
  assert.deepEqual(readBody(utf8("\ufeff{"), "text/plain"), { value: "\ufeff{" });
});

test("malformed JSON is one error with the offset and the reason", () => {
  assert.deepEqual(json(utf8('{"é":}')), {
    errors: [
      {
        type: "json_invalid",
        loc: ["body", 5],
        msg: "JSON decode error",
        input: {},
        ctx: { error: "Expecting value" },
      },
    ],
  });
});

test("bytes that are not UTF-8 are unreadable with any content type", () => {
  for (const bytes of [
    [0xff],
    [0xc0, 0xaf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xc3],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
  ]) {
    const inString = [0x22, ...bytes, 0x22];
    assert.deepEqual(json(inString), unreadable);
    assert.deepEqual(readBody(Uint8Array.from(inString), "text/plain"), unreadable);
  }
});

test("a surrogate encoded in three bytes is decoded, as in Python, and flagged", () => {
  assert.deepEqual(json([0x22, 0xed, 0xa0, 0x80, 0x61, 0x22]), { value: "\ud800a", unserializable: true });
  assert.deepEqual(json([0x22, 0xed, 0xa0, 0x80, 0xff, 0x22]), unreadable);
  assert.deepEqual(json([0x22, 0xed, 0xa0, 0x22]), unreadable);
  assert.deepEqual(json([0x22, 0xff, 0xed, 0xa0, 0x80, 0x22]), unreadable);
});

test("one byte order mark is skipped and does not count in offsets", () => {
  assert.deepEqual(json(utf8("\ufeff{}")), { value: {} });
  const second = json(utf8("\ufeff\ufeff{}"));
  assert.deepEqual("errors" in second && second.errors[0]?.loc, ["body", 0]);
});

const utf16 = (text: string) => [...text].flatMap((c) => [c.charCodeAt(0) & 0xff, c.charCodeAt(0) >> 8]);
const utf32 = (text: string) => [...text].flatMap((c) => [...utf16(c), 0, 0]);
const bigEndian = (bytes: number[], width: number) =>
  bytes.map((_, i) => bytes[i - (i % width) + width - 1 - (i % width)] ?? 0);
const text = '{"é":5}';
const encodings: [string, number[]][] = [
  ["UTF-16 little-endian", utf16(text)],
  ["UTF-16 big-endian", bigEndian(utf16(text), 2)],
  ["UTF-16 little-endian with a mark", utf16(`\ufeff${text}`)],
  ["UTF-16 big-endian with a mark", bigEndian(utf16(`\ufeff${text}`), 2)],
  ["UTF-32 little-endian", utf32(text)],
  ["UTF-32 big-endian", bigEndian(utf32(text), 4)],
  ["UTF-32 little-endian with a mark", utf32(`\ufeff${text}`)],
  ["UTF-32 big-endian with a mark", bigEndian(utf32(`\ufeff${text}`), 4)],
];
for (const [encoding, bytes] of encodings) {
  test(`${encoding} is recognised and read`, () => assert.deepEqual(json(bytes), { value: { é: 5 } }));
}

test("two bytes are enough to recognise UTF-16", () => {
  assert.deepEqual(json([0x35, 0]), { value: 5 });
  assert.deepEqual(json([0, 0x35]), { value: 5 });
});

test("UTF-16 and UTF-32 of odd length or outside Unicode are unreadable", () => {
  assert.deepEqual(json([0x5b, 0, 0x5d, 0, 0x20]), unreadable);
  assert.deepEqual(json([0x5b, 0, 0, 0, 0x5d]), unreadable);
  assert.deepEqual(json([0x5b, 0, 0, 0, 0, 0, 0x11, 0]), unreadable);
});

test("too deep nesting and too many digits are unreadable", () => {
  assert.deepEqual(json(utf8("[".repeat(2000))), unreadable);
  assert.deepEqual(json(utf8("9".repeat(4301))), unreadable);
});

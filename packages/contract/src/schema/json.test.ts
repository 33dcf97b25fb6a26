import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc, { anyCharacter, randomCases } from "@lakehelm/testing/random-cases";
import { decodeJson, decodeLongJson, encodeJson, isSerializable } from "./json.ts";
import { maxNesting, parsePythonJson } from "./python-json.ts";
import { keysInOrder } from "./schema.ts";

const value = (text: string) => {
  const decoded = decodeJson(text);
  assert.ok("value" in decoded, "it is JSON");
  return decoded.value;
};

const propertyName = "Expecting property name enclosed in double quotes";
const malformed: [string, number, string][] = [
  ['{"a":1,}', 7, propertyName],
  ["{", 1, propertyName],
  ["{ ", 2, propertyName],
  ["{a:1}", 1, propertyName],
  ["{\f}", 1, propertyName],
  ["[1,]", 3, "Expecting value"],
  ["[", 1, "Expecting value"],
  ['{"a":', 5, "Expecting value"],
  ['{"a":}', 5, "Expecting value"],
  ["", 0, "Expecting value"],
  [" ", 1, "Expecting value"],
  ["-", 0, "Expecting value"],
  ["tru", 0, "Expecting value"],
  ["'a'", 0, "Expecting value"],
  ["+1", 0, "Expecting value"],
  [".5", 0, "Expecting value"],
  ["-Inf", 0, "Expecting value"],
  ["\ufeff{}", 0, "Expecting value"],
  ['{"😀":}', 5, "Expecting value"],
  ['{"a"', 4, "Expecting ':' delimiter"],
  ['{"a" 1}', 5, "Expecting ':' delimiter"],
  ['{"a":1', 6, "Expecting ',' delimiter"],
  ['{"a":01}', 6, "Expecting ',' delimiter"],
  ["[1 2]", 3, "Expecting ',' delimiter"],
  ['{"a":{"b":1]}', 11, "Expecting ',' delimiter"],
  ["{}{}", 2, "Extra data"],
  ["01", 1, "Extra data"],
  ["1.", 1, "Extra data"],
  ["1e+", 1, "Extra data"],
  ["0x1", 1, "Extra data"],
  ["{}\u2028", 2, "Extra data"],
  ['"', 0, "Unterminated string starting at"],
  ['{"a":"b}', 5, "Unterminated string starting at"],
  ['["\\', 1, "Unterminated string starting at"],
  ['"a\nb"', 2, "Invalid control character at"],
  ['"😀\u0001"', 2, "Invalid control character at"],
  ['{"a":"\\a"}', 6, "Invalid \\escape"],
  ['{"a":"\\u"}', 7, "Invalid \\uXXXX escape"],
  ['"\\u12g4"', 2, "Invalid \\uXXXX escape"],
  ['"\\u0041', 2, "Invalid \\uXXXX escape"],
];
for (const [text, offset, error] of malformed) {
  test(`${JSON.stringify(text)} is malformed: ${error} ${offset}`, () => {
    assert.deepEqual(decodeJson(text), { error, offset });
  });
}

test("an integer beyond 2^53 keeps its digits, a whole float stays a number", () => {
  assert.deepEqual(value("[9007199254740991,9007199254740992,-12345678901234567890123]"), [
    9007199254740991,
    9007199254740992n,
    -12345678901234567890123n,
  ]);
  assert.deepEqual(value("[1e19,10000000000000000000,10000000000000000000.0]"), [
    1e19,
    10000000000000000000n,
    1e19,
  ]);
});

test("16 digits already use the Python parser", () =>
  assert.equal(value("9999999999999999"), 9999999999999999n));

test("of a repeated key the last value counts", () => assert.deepEqual(value('{"a":1,"a":[2]}'), { a: [2] }));

test("__proto__ is an own key, in both parsers", () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1},"x":12345678901234567890}']) {
    const object = value(text) as object;
    assert.ok(Object.hasOwn(object, "__proto__"));
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
  }
});

test("keys such as 0 keep their position", () => {
  const keys = (text: string) => keysInOrder(value(text) as Record<string, unknown>);
  assert.deepEqual(keys('{"b":1,"10":2,"a":3,"2" :4,"b":5}'), ["b", "10", "a", "2"]);
  assert.deepEqual(keys('{"b":1,"\\u0030":2}'), ["b", "0"]);
});

for (const text of [
  "NaN",
  "[Infinity]",
  '{"a":-Infinity}',
  "1e400",
  "-1E+999",
  '"\\ud800"',
  '{"a\\udc00b":1}',
]) {
  test(`${text} is decoded and flagged, because JSON cannot represent it`, () => {
    const decoded = decodeJson(text);
    assert.ok("value" in decoded && decoded.unserializable);
    assert.equal(isSerializable(decoded.value), false);
  });
}

test("a surrogate pair is one character and is not flagged", () => {
  assert.deepEqual(decodeJson('"\\ud83d\\ude00"'), { value: "😀" });
});

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
test(`${maxNesting} levels are fine, more are unreadable, even before a later error`, () => {
  assert.ok("value" in decodeJson(nested(maxNesting)));
  for (const text of [nested(maxNesting + 1), '{"a":'.repeat(5000), "[".repeat(100_000)]) {
    assert.deepEqual(decodeJson(text), { unreadable: "The JSON is nested too deeply." });
  }
});

test("brackets in strings, and many shallow ones, are not depth", () => {
  const wide = `[${Array.from({ length: 2000 }, () => '{"a":["[[\\"[["]}').join(",")}]`;
  assert.ok("value" in decodeJson(wide));
  assert.ok("value" in decodeJson(`${wide.slice(0, -1)},12345678901234567890]`), "in our own parser as well");
  const escaped = `["\\"${"]".repeat(3000)}",${nested(maxNesting + 1)}]`;
  assert.ok("unreadable" in decodeJson(escaped));
  const hidden = `["${"]".repeat(3000)}",${nested(maxNesting + 1)}]`;
  assert.ok("unreadable" in decodeJson(hidden));
});

test("an integer of more than 4300 digits is unreadable, a float of as many is not", () => {
  const most = "9".repeat(4300);
  assert.equal(value(`-${most}`), -BigInt(most));
  assert.deepEqual(decodeJson(`[${most}9`), { unreadable: "An integer has more than 4300 digits." });
  assert.equal(value(`0.${most}9`), 1);
});

/** Texts near JSON: valid ones with a few pieces inserted or removed. */
const pieces = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\\u",
  "0",
  "-",
  ".",
  "e5",
  "1e999",
  " ",
  "\t",
  "\u0001",
];
pieces.push(
  "null",
  "tru",
  "NaN",
  '"0":',
  "\\ud83d",
  "\\ude00",
  "😀",
  "99999999999999999",
  "'",
  "\ufeff",
  "\\u0041",
);
const nearJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces), fc.boolean()), { maxLength: 3 }),
  )
  .map(([text, edits]) =>
    edits.reduce((sofar, [where, piece, cut]) => {
      const at = where % (sofar.length + 1);
      return sofar.slice(0, at) + piece + sofar.slice(cut ? at + 1 : at);
    }, text),
  );

test("property: decodeJson with JSON.parse agrees with the Python parser on every text", () => {
  fc.assert(
    fc.property(nearJson, (text) => assert.deepStrictEqual(decodeJson(text), parsePythonJson(text))),
    { numRuns: randomCases(3_000) },
  );
});

test("a long text is read in parts, with the same result", async () => {
  let turns = 0;
  const turn = async () => void turns++;
  const many = (length: number, one: (n: number) => string) =>
    Array.from({ length }, (_, n) => one(n)).join();
  const strings = many(60_000, (n) => `"text ${n}"`);
  const members = many(60_000, (n) => `"key_${n}":{"a":[${n},"\\"]}"]}`);
  for (const text of [
    `{"a":[${strings}],"b":{${members}},"c":[],"a":1}`,
    `[[${strings}],{${members}},12345678901234567890,[${strings}]]`,
    `[${many(200_000, (n) => `1234567890123456${n}`)}]`,
    `{${many(200_000, (n) => `"${n}":${n}`)}}`,
    ` [ [ ${strings} ] , "${"x".repeat(3_000_000)}" ] `,
    `{${members},}`,
    `[${strings}, ]`,
    `[,${strings}]`,
    `[${strings}`,
    `[[${strings}]`,
    `[[${strings}}]`,
    `[${strings}]]`,
    `{"a":[${strings}],"b" 1}`,
    `{"a":[${strings}],"b":NaN}`,
    `${nested(maxNesting).slice(0, maxNesting)}${strings}${"]".repeat(maxNesting)}`,
    `${"[".repeat(maxNesting + 1)}${strings}${"]".repeat(maxNesting + 1)}`,
    `[[${strings}],${nested(maxNesting - 1)}]`,
    `[[${strings}],${nested(maxNesting)}]`,
  ]) {
    const decoded = await decodeLongJson(text, turn);
    const whole = decodeJson(text);
    assert.ok(isDeepStrictEqual(decoded, whole), `${text.slice(0, 40)} … ${text.slice(-40)}`);
    if (!("value" in whole) || typeof whole.value !== "object" || !("value" in decoded)) continue;
    assert.deepEqual(
      keysInOrder(decoded.value as Record<string, unknown>).slice(0, 20),
      keysInOrder(whole.value as Record<string, unknown>).slice(0, 20),
    );
  }
  assert.ok(turns > 18);
});

test("property: the Python parser agrees with JSON.parse where that one is exact", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const decoded = parsePythonJson(text);
      assert.ok("value" in decoded);
      if (!decoded.unserializable) assert.deepStrictEqual(comparable(decoded.value), JSON.parse(text));
    }),
    { numRuns: randomCases(2_000) },
  );
});

/** fast-check writes whole floats beyond 2^53 as digits: JSON.parse rounds them, decodeJson does not. */
function comparable(decoded: unknown): unknown {
  if (typeof decoded === "bigint") return Number(decoded);
  if (Array.isArray(decoded)) return decoded.map(comparable);
  if (typeof decoded !== "object" || decoded === null) return decoded;
  return Object.fromEntries(Object.entries(decoded).map(([key, item]) => [key, comparable(item)]));
}

const unsafe = fc.bigInt().filter((integer) => !Number.isSafeInteger(Number(integer)));
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: anyCharacter }),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((float) => (Math.abs(float) < 1e15 ? float + 0 : 0.5)),
    unsafe,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("0", "__proto__", "toJSON")), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

test("property: what encodeJson writes, decodeJson reads back, digit for digit", () => {
  fc.assert(
    fc.property(jsonValue, (sent) => {
      assert.deepEqual(value(encodeJson(sent)), sent);
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("encodeJson writes a value with a bigint as JSON.stringify would write the rest", () => {
  const rest = { a: undefined, b: [undefined, 1, "é\n"], c: new Date(0), "0": null };
  assert.equal(
    encodeJson({ ...rest, n: 12345678901234567890n }),
    `${JSON.stringify(rest).slice(0, -1)},"n":12345678901234567890}`,
  );
  assert.equal(encodeJson(rest), JSON.stringify(rest));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, refusals } from "./fixture-check.ts";
import * as s from "./index.ts";

test("a string is never made from anything else", () => {
  assert.equal(outcome(s.string(), ""), "");
  for (const value of [5, 5n, true, null, [], {}]) {
    assert.deepEqual(outcome(s.string(), value), {
      refused: [{ type: "string_type", loc: ["body"], msg: "Input should be a valid string", input: value }],
    });
  }
});

test("a string shorter than its minimum is string_too_short, counted in code points", () => {
  assert.deepEqual(outcome(s.string({ min: 1 }), ""), {
    refused: [
      {
        type: "string_too_short",
        loc: ["body"],
        msg: "String should have at least 1 character",
        input: "",
        ctx: { min_length: 1 },
      },
    ],
  });
  assert.equal(outcome(s.string({ min: 1 }), "😀"), "😀");
  assert.deepEqual(refusals(s.string({ min: 3 }), "😀😀"), ["string_too_short"]);
  assert.equal(outcome(s.string({ min: 2 }), "😀😀"), "😀😀");
  const [entry] = (outcome(s.string({ min: 2 }), "x") as { refused: s.Entry[] }).refused;
  assert.equal(entry?.msg, "String should have at least 2 characters");
});

test("a string off its pattern is string_pattern_mismatch with the pattern", () => {
  assert.equal(outcome(s.string({ pattern: /^a+$/ }), "aa"), "aa");
  assert.deepEqual(outcome(s.string({ pattern: /^a+$/ }), "aa\n"), {
    refused: [
      {
        type: "string_pattern_mismatch",
        loc: ["body"],
        msg: "String should match pattern '^a+$'",
        input: "aa\n",
        ctx: { pattern: "^a+$" },
      },
    ],
  });
});

test("a format is documentation only", () => {
  assert.equal(outcome(s.string({ format: "uuid" }), "no uuid"), "no uuid");
});

for (const value of [true, 1, 1.0, "1", "true", "t", "yes", "y", "on", "TRUE", "oN"]) {
  test(`${JSON.stringify(value)} is the boolean true`, () => assert.equal(outcome(s.boolean(), value), true));
}
for (const value of [false, 0, -0, "0", "false", "f", "no", "n", "off", "False", "OFF"]) {
  test(`${JSON.stringify(value)} is the boolean false`, () =>
    assert.equal(outcome(s.boolean(), value), false));
}
for (const value of [
  2,
  -1,
  1e18,
  2n ** 63n - 1n,
  -(2n ** 63n),
  "2",
  "1.0",
  "01",
  " true",
  "true ",
  "",
  "null",
]) {
  test(`${JSON.stringify(String(value))} is bool_parsing`, () => {
    const msg = "Input should be a valid boolean, unable to interpret input";
    assert.deepEqual(outcome(s.boolean(), value), {
      refused: [{ type: "bool_parsing", loc: ["body"], msg, input: value }],
    });
  });
}
for (const value of [0.5, null, [], {}, 2n ** 63n, -(2n ** 63n) - 1n, 1e19, -(2 ** 63)]) {
  test(`${s.encodeJson(value)} is bool_type`, () => {
    assert.deepEqual(outcome(s.boolean(), value), {
      refused: [{ type: "bool_type", loc: ["body"], msg: "Input should be a valid boolean", input: value }],
    });
  });
}

test("an enumeration takes exactly its strings, whatever the JSON type of the rest", () => {
  const action = s.literal("a", "b", "c");
  assert.equal(outcome(action, "b"), "b");
  for (const value of ["A", " a", 5, null, [], { a: 1 }]) {
    assert.deepEqual(outcome(action, value), {
      refused: [
        {
          type: "literal_error",
          loc: ["body"],
          msg: "Input should be 'a', 'b' or 'c'",
          input: value,
          ctx: { expected: "'a', 'b' or 'c'" },
        },
      ],
    });
  }
});

test("two allowed values are joined by or, one stands alone", () => {
  const messageOf = (schema: s.AnySchema) => (outcome(schema, 5) as { refused: s.Entry[] }).refused[0]?.msg;
  assert.equal(messageOf(s.literal("pause", "resume")), "Input should be 'pause' or 'resume'");
  assert.equal(messageOf(s.literal("pause")), "Input should be 'pause'");
});

test("a number of an answer is a finite number and nothing else", () => {
  assert.equal(outcome(s.number(), 0.25), 0.25);
  for (const value of ["5", true, null, Number.NaN, Number.POSITIVE_INFINITY, 5n]) {
    assert.deepEqual(refusals(s.number(), value), ["float_type"]);
  }
});

test("a word is a text, or a number or boolean as its text", () => {
  const values = ["a", "", 5, 2.5, true, 12345678901234567890n];
  assert.deepEqual(
    values.map((value) => outcome(s.word(), value)),
    ["a", "", "5", "2.5", "true", "12345678901234567890"],
  );
  for (const value of [null, [], {}]) assert.deepEqual(refusals(s.word(), value), ["string_type"]);
});

test("any takes anything as it is", () => {
  const value = { a: [1] };
  assert.equal(outcome(s.any(), value), value);
  assert.equal(outcome(s.any(), null), null);
});

test("an entry writes its keys in the order type, loc, msg, input, ctx", () => {
  const { refused } = outcome(s.literal("a"), 5) as { refused: s.Entry[] };
  assert.deepEqual(Object.keys(refused[0] ?? {}), ["type", "loc", "msg", "input", "ctx"]);
});

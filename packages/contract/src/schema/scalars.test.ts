import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTypes, parseOrErrors } from "./check.fixture.ts";
import * as s from "./index.ts";

test("nothing is coerced to a string", () => {
  assert.equal(parseOrErrors(s.string(), ""), "");
  for (const value of [5, 5n, true, null, [], {}]) {
    assert.deepEqual(parseOrErrors(s.string(), value), {
      errors: [{ type: "string_type", loc: ["body"], msg: "Input should be a valid string", input: value }],
    });
  }
});

test("a string shorter than its minimum is string_too_short, counted in code points", () => {
  assert.deepEqual(parseOrErrors(s.string({ min: 1 }), ""), {
    errors: [
      {
        type: "string_too_short",
        loc: ["body"],
        msg: "String should have at least 1 character",
        input: "",
        ctx: { min_length: 1 },
      },
    ],
  });
  assert.equal(parseOrErrors(s.string({ min: 1 }), "😀"), "😀");
  assert.deepEqual(errorTypes(s.string({ min: 3 }), "😀😀"), ["string_too_short"]);
  assert.equal(parseOrErrors(s.string({ min: 2 }), "😀😀"), "😀😀");
  const [entry] = (parseOrErrors(s.string({ min: 2 }), "x") as { errors: s.ValidationError[] }).errors;
  assert.equal(entry?.msg, "String should have at least 2 characters");
});

test("a string that does not match its pattern is string_pattern_mismatch with the pattern", () => {
  assert.equal(parseOrErrors(s.string({ pattern: /^a+$/ }), "aa"), "aa");
  assert.deepEqual(parseOrErrors(s.string({ pattern: /^a+$/ }), "aa\n"), {
    errors: [
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
  assert.equal(parseOrErrors(s.string({ format: "uuid" }), "no uuid"), "no uuid");
});

for (const value of [true, 1, 1.0, "1", "true", "t", "yes", "y", "on", "TRUE", "oN"]) {
  test(`${JSON.stringify(value)} is the boolean true`, () =>
    assert.equal(parseOrErrors(s.boolean(), value), true));
}
for (const value of [false, 0, -0, "0", "false", "f", "no", "n", "off", "False", "OFF"]) {
  test(`${JSON.stringify(value)} is the boolean false`, () =>
    assert.equal(parseOrErrors(s.boolean(), value), false));
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
    assert.deepEqual(parseOrErrors(s.boolean(), value), {
      errors: [{ type: "bool_parsing", loc: ["body"], msg, input: value }],
    });
  });
}
for (const value of [0.5, null, [], {}, 2n ** 63n, -(2n ** 63n) - 1n, 1e19, -(2 ** 63)]) {
  test(`${s.encodeJson(value)} is bool_type`, () => {
    assert.deepEqual(parseOrErrors(s.boolean(), value), {
      errors: [{ type: "bool_type", loc: ["body"], msg: "Input should be a valid boolean", input: value }],
    });
  });
}

test("a literal accepts exactly its strings, and no other JSON type", () => {
  const action = s.literal("a", "b", "c");
  assert.equal(parseOrErrors(action, "b"), "b");
  for (const value of ["A", " a", 5, null, [], { a: 1 }]) {
    assert.deepEqual(parseOrErrors(action, value), {
      errors: [
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

test("two allowed values are joined by or, one is alone", () => {
  const messageOf = (schema: s.AnySchema) =>
    (parseOrErrors(schema, 5) as { errors: s.ValidationError[] }).errors[0]?.msg;
  assert.equal(messageOf(s.literal("pause", "resume")), "Input should be 'pause' or 'resume'");
  assert.equal(messageOf(s.literal("pause")), "Input should be 'pause'");
});

test("a number is a finite number and nothing else", () => {
  assert.equal(parseOrErrors(s.number(), 0.25), 0.25);
  for (const value of ["5", true, null, Number.NaN, Number.POSITIVE_INFINITY, 5n]) {
    assert.deepEqual(errorTypes(s.number(), value), ["float_type"]);
  }
});

test("a coerced string is a string, number or boolean as its text", () => {
  const values = ["a", "", 5, 2.5, true, 12345678901234567890n];
  assert.deepEqual(
    values.map((value) => parseOrErrors(s.coercedString(), value)),
    ["a", "", "5", "2.5", "true", "12345678901234567890"],
  );
  for (const value of [null, [], {}]) assert.deepEqual(errorTypes(s.coercedString(), value), ["string_type"]);
});

test("any accepts everything unchanged", () => {
  const value = { a: [1] };
  assert.equal(parseOrErrors(s.any(), value), value);
  assert.equal(parseOrErrors(s.any(), null), null);
});

test("an error has its keys in the order type, loc, msg, input, ctx", () => {
  const { errors } = parseOrErrors(s.literal("a"), 5) as { errors: s.ValidationError[] };
  assert.deepEqual(Object.keys(errors[0] ?? {}), ["type", "loc", "msg", "input", "ctx"]);
});

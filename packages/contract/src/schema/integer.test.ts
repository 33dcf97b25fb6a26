import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMsOf } from "@lakehelm/testing/linear";
import { parseOrErrors } from "./check.fixture.ts";
import * as s from "./index.ts";

const parsing = "Input should be a valid integer, unable to parse string as an integer";
const size = "Unable to parse input string as an integer, exceeded maximum size";
const errors = (type: string, msg: string, input: unknown) => ({
  errors: [{ type, loc: ["body"], msg, input }],
});

test("an integer of any size is unchanged: a number if that is exact, else a bigint", () => {
  assert.equal(parseOrErrors(s.integer(), 5), 5);
  assert.equal(parseOrErrors(s.integer(), -(2 ** 53) + 1), -(2 ** 53) + 1);
  assert.equal(parseOrErrors(s.integer(), 12345678901234567890n), 12345678901234567890n);
});

test("true and false are 1 and 0", () => {
  assert.equal(parseOrErrors(s.integer(), true), 1);
  assert.equal(parseOrErrors(s.integer(), false), 0);
});

test("a whole float below 2^63 in size is an integer, and never -0", () => {
  assert.equal(parseOrErrors(s.integer(), 1e3), 1000);
  assert.ok(Object.is(parseOrErrors(s.integer(), -0), 0));
  assert.equal(parseOrErrors(s.integer(), 1e17), 100000000000000000n);
  assert.equal(parseOrErrors(s.integer(), 2 ** 63 - 1024), 2n ** 63n - 1024n);
});

test("a whole float of 2^63 or more, or -2^63 or less, is int_parsing_size", () => {
  for (const float of [1e19, 2 ** 63, -(2 ** 63), -1e300]) {
    assert.deepEqual(parseOrErrors(s.integer(), float), errors("int_parsing_size", size, float));
  }
});

test("a fraction is int_from_float", () => {
  const msg = "Input should be a valid integer, got a number with a fractional part";
  for (const float of [2.5, 1e-3, -0.5])
    assert.deepEqual(parseOrErrors(s.integer(), float), errors("int_from_float", msg, float));
});

test("null, arrays and objects are int_type", () => {
  for (const value of [null, [], [5], {}]) {
    assert.deepEqual(
      parseOrErrors(s.integer(), value),
      errors("int_type", "Input should be a valid integer", value),
    );
  }
});

const accepted: [string, number | bigint][] = [
  ["5", 5],
  ["+5", 5],
  ["-5", -5],
  ["-0", 0],
  [" 5 ", 5],
  ["\t\n\v\f\r5\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000", 5],
  ["007", 7],
  ["1_000", 1000],
  ["5.0", 5],
  ["5.000", 5],
  ["1_0.0", 10],
  ["-1_0.0", -10],
  ["9007199254740993", 9007199254740993n],
  ["12345678901234567890123", 12345678901234567890123n],
];
for (const [text, integer] of accepted) {
  test(`the string ${JSON.stringify(text)} is the integer ${integer}`, () => {
    assert.ok(Object.is(parseOrErrors(s.integer(), text), integer));
  });
}

const notIntegers = [
  "",
  " ",
  "5.",
  ".5",
  "5.5",
  "1e3",
  "0x10",
  "1__0",
  "_1",
  "1_",
  "5_.0",
  "1.0_0",
  "--5",
  "- 5",
];
notIntegers.push(
  "1,000",
  "true",
  "NaN",
  "５",
  "٣",
  "\ufeff5",
  "\u200b5",
  "\u180e5",
  "\u001c5",
  "5.0.0",
  "+",
  "5 5",
);
for (const text of notIntegers) {
  test(`the string ${JSON.stringify(text)} is int_parsing`, () => {
    assert.deepEqual(parseOrErrors(s.integer(), text), errors("int_parsing", parsing, text));
  });
}

test("4300 digits are an integer, more are int_parsing_size, leading zeros do not count", () => {
  const most = "9".repeat(4300);
  assert.equal(parseOrErrors(s.integer(), most), BigInt(most));
  assert.equal(parseOrErrors(s.integer(), `${"0".repeat(5000)}7`), 7);
  assert.deepEqual(parseOrErrors(s.integer(), `${most}9`), errors("int_parsing_size", size, `${most}9`));
  assert.deepEqual(parseOrErrors(s.integer(), `-${most}9`), errors("int_parsing_size", size, `-${most}9`));
});

test("a long string that is not an integer is rejected in linear time", async () => {
  const ms = await cpuMsOf(() => {
    for (const filler of [" ", "1", "_1", "0", "\u3000"]) {
      parseOrErrors(s.integer(), `1${filler.repeat(500_000)}x`);
      parseOrErrors(s.integer(), `${filler.repeat(500_000)}x`);
    }
  });
  assert.ok(ms < 2000, `${ms} ms`);
});

test("bounds are checked after parsing, and the error has the bound", () => {
  const limit = s.integer({ ge: 1, le: 1000 });
  assert.equal(parseOrErrors(limit, "1000.0"), 1000);
  assert.deepEqual(parseOrErrors(limit, "0"), {
    errors: [
      {
        type: "greater_than_equal",
        loc: ["body"],
        msg: "Input should be greater than or equal to 1",
        input: "0",
        ctx: { ge: 1 },
      },
    ],
  });
  assert.deepEqual(parseOrErrors(limit, 99999999999999999999n), {
    errors: [
      {
        type: "less_than_equal",
        loc: ["body"],
        msg: "Input should be less than or equal to 1000",
        input: 99999999999999999999n,
        ctx: { le: 1000 },
      },
    ],
  });
});

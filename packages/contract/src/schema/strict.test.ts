/** Validation that files, settings and connection configs need beyond Pydantic's rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTypes, parseOrErrors } from "./check.fixture.ts";
import * as s from "./index.ts";

test("a strict integer is a number, without coercion", () => {
  const strict = s.integer({ mode: "strict", ge: 1 });
  assert.equal(parseOrErrors(strict, 5), 5);
  for (const value of ["5", true, 1.5, 2 ** 60, 5n, null])
    assert.deepEqual(errorTypes(strict, value), ["int_type"]);
  assert.deepEqual(errorTypes(strict, 0), ["greater_than_equal"]);
});

test("an integer of digits is a number or a string of digits", () => {
  const digits = s.integer({ mode: "digits", le: 100 });
  assert.equal(parseOrErrors(digits, 5), 5);
  assert.equal(parseOrErrors(digits, "042"), 42);
  for (const value of ["", " 5", "+5", "-5", "5.0", "5_0", true, 1.5]) {
    assert.deepEqual(errorTypes(digits, value), ["int_type"]);
  }
  assert.deepEqual(errorTypes(digits, "99999999999999999999"), ["less_than_equal"]);
});

test("a strict boolean is true or false", () => {
  const strict = s.boolean({ strict: true });
  assert.equal(parseOrErrors(strict, false), false);
  for (const value of ["true", 1, 0, null]) assert.deepEqual(errorTypes(strict, value), ["bool_type"]);
});

test("a list can have a least number of items", () => {
  const list = s.list(s.string(), { min: 1 });
  assert.deepEqual(parseOrErrors(list, ["a"]), ["a"]);
  assert.deepEqual(parseOrErrors(list, []), {
    errors: [
      {
        type: "too_short",
        loc: ["body"],
        msg: "List should have at least 1 item after validation, not 0",
        input: [],
        ctx: { field_type: "List", min_length: 1, actual_length: 0 },
      },
    ],
  });
  assert.deepEqual(list.jsonSchema(new Map()), { type: "array", items: { type: "string" }, minItems: 1 });
});

test("a map can have a pattern for its keys", () => {
  const map = s.map(s.integer(), { keys: /^[a-z]+$/ });
  assert.deepEqual(parseOrErrors(map, { a: 1 }), { a: 1 });
  assert.deepEqual(parseOrErrors(map, { "a b": 1 }), {
    errors: [
      {
        type: "string_pattern_mismatch",
        loc: ["body", "a b", "[key]"],
        msg: "String should match pattern '^[a-z]+$'",
        input: "a b",
        ctx: { pattern: "^[a-z]+$" },
      },
    ],
  });
  assert.deepEqual(map.jsonSchema(new Map()), {
    type: "object",
    additionalProperties: { type: "integer" },
    propertyNames: { pattern: "^[a-z]+$" },
  });
});

test("an object is a model without a name: its JSON Schema is inline", () => {
  const refs: s.Refs = new Map();
  const schema = s.object({ id: s.string() }, { closed: true });
  assert.deepEqual(schema.jsonSchema(refs), {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    additionalProperties: false,
  });
  assert.equal(refs.size, 0);
  assert.deepEqual(parseOrErrors(schema, { id: "a", x: 1 }), {
    errors: [
      { type: "extra_forbidden", loc: ["body", "x"], msg: "Extra inputs are not permitted", input: 1 },
    ],
  });
});

test("fields of a group exclude each other, whatever else is wrong", () => {
  const fields = { a: s.string().optional(), b: s.string().optional() };
  const one = s.object(fields, { groups: [s.exactlyOneOf("a", "b")] });
  const most = s.object(fields, { groups: [s.atMostOneOf("a", "b")] });
  assert.deepEqual(parseOrErrors(one, { a: "x" }), { a: "x" });
  assert.deepEqual(parseOrErrors(most, {}), {});
  assert.deepEqual(parseOrErrors(one, {}), {
    errors: [
      {
        type: "fields_missing",
        loc: ["body"],
        msg: "One of a, b is required",
        input: {},
        ctx: { fields: ["a", "b"] },
      },
    ],
  });
  for (const schema of [one, most]) {
    assert.deepEqual(errorTypes(schema, { a: 5, b: "y" }), ["string_type", "fields_conflict"]);
  }
});

test("refine adds a custom error with exactly its message, if the value is valid otherwise", () => {
  const even = s.integer().refine((n) => (n % 2 ? "must be even" : undefined));
  assert.equal(parseOrErrors(even, "4"), 4);
  assert.deepEqual(parseOrErrors(even, "3"), {
    errors: [{ type: "custom", loc: ["body"], msg: "must be even", input: "3" }],
  });
  assert.deepEqual(errorTypes(even, "x"), ["int_parsing"]);
});

test("message replaces all errors of a value, and leaves those of others", () => {
  const Model = s.object({ names: s.list(s.string()).message("must be a list of names"), id: s.string() });
  assert.deepEqual(parseOrErrors(Model, { names: ["a"], id: "x" }), { names: ["a"], id: "x" });
  assert.deepEqual(parseOrErrors(Model, { names: [1, 2], id: 5 }), {
    errors: [
      { type: "custom", loc: ["body", "names"], msg: "must be a list of names", input: [1, 2] },
      { type: "string_type", loc: ["body", "id"], msg: "Input should be a valid string", input: 5 },
    ],
  });
});

test("transform converts valid values only, and keeps presence and default", () => {
  const names = s.string().transform((text) => text.split(","));
  assert.deepEqual(parseOrErrors(names, "a,b"), ["a", "b"]);
  assert.deepEqual(errorTypes(names, 5), ["string_type"]);
  const Model = s.object({ names: names.default([]), more: names.optional() });
  assert.deepEqual(parseOrErrors(Model, {}), { names: [] });
});

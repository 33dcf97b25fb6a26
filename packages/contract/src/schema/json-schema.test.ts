import assert from "node:assert/strict";
import { test } from "node:test";
import * as s from "./index.ts";

const shape = (schema: s.AnySchema) => schema.jsonSchema(new Map());

test("scalars have their canonical type and bounds, not the coercions", () => {
  assert.deepEqual(shape(s.string()), { type: "string" });
  assert.deepEqual(shape(s.string({ min: 1, pattern: /^a$/, format: "uuid" })), {
    type: "string",
    minLength: 1,
    pattern: "^a$",
    format: "uuid",
  });
  assert.deepEqual(shape(s.integer({ ge: 1, le: 1000 })), { type: "integer", minimum: 1, maximum: 1000 });
  assert.deepEqual(shape(s.number()), { type: "number" });
  assert.deepEqual(shape(s.boolean()), { type: "boolean" });
  assert.deepEqual(shape(s.literal("a", "b")), { type: "string", enum: ["a", "b"] });
  assert.deepEqual(shape(s.any()), {});
});

test("lists and maps have the schema of their items", () => {
  assert.deepEqual(shape(s.list(s.string())), { type: "array", items: { type: "string" } });
  assert.deepEqual(shape(s.map()), { type: "object", additionalProperties: true });
  assert.deepEqual(shape(s.map(s.integer())), { type: "object", additionalProperties: { type: "integer" } });
});

test("nullable is anyOf with null, with default, description and example beside it", () => {
  assert.deepEqual(shape(s.string().nullable().default("UTC").describe("A zone.").example("UTC")), {
    anyOf: [{ type: "string" }, { type: "null" }],
    default: "UTC",
    description: "A zone.",
    examples: ["UTC"],
  });
});

test("a rule and an extension do not change the JSON Schema", () => {
  assert.deepEqual(shape(s.string().rule(() => undefined)), { type: "string" });
  assert.deepEqual(shape(s.extension(s.list(s.string()))), { type: "array", items: { type: "string" } });
});

test("a named model is a reference and registers itself and its nested models", () => {
  const refs: s.Refs = new Map();
  const Inner = s.model("Inner", { flag: s.boolean().default(false) });
  const Outer = s.model(
    "Outer",
    { id: s.string(), inner: Inner.nullable().optional(), list: s.list(Inner).describe("Some.") },
    { description: "An outer one." },
  );
  assert.deepEqual(Outer.jsonSchema(refs), { $ref: "#/components/schemas/Outer" });
  assert.deepEqual(Object.fromEntries(refs), {
    Inner: { type: "object", properties: { flag: { type: "boolean", default: false } } },
    Outer: {
      type: "object",
      description: "An outer one.",
      properties: {
        id: { type: "string" },
        inner: { anyOf: [{ $ref: "#/components/schemas/Inner" }, { type: "null" }] },
        list: { type: "array", items: { $ref: "#/components/schemas/Inner" }, description: "Some." },
      },
      required: ["id", "list"],
    },
  });
});

test("a model with additional properties has additionalProperties", () => {
  const refs: s.Refs = new Map();
  s.model("Open", {}, { additional: true }).jsonSchema(refs);
  assert.deepEqual(refs.get("Open"), { type: "object", properties: {}, additionalProperties: true });
});

test("a choice is a named anyOf", () => {
  const refs: s.Refs = new Map();
  const Choice = s.choice(
    "Choice",
    () => 0,
    s.model("A", { a: s.string() }),
    s.model("B", { b: s.string() }),
  );
  assert.deepEqual(Choice.jsonSchema(refs), { $ref: "#/components/schemas/Choice" });
  assert.deepEqual(refs.get("Choice"), {
    anyOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
  });
});

test("two different schemas with the same name throw", () => {
  const refs: s.Refs = new Map();
  s.model("Same", { a: s.string() }).jsonSchema(refs);
  s.model("Same", { a: s.string() }).jsonSchema(refs);
  assert.throws(
    () => s.model("Same", { b: s.string() }).jsonSchema(refs),
    /Two different schemas have the name Same/,
  );
});

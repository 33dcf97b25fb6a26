import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTypes, parseOrErrors } from "./check.fixture.ts";
import * as s from "./index.ts";

const decode = (text: string) => (s.decodeJson(text) as { value: unknown }).value;
const locations = (schema: s.AnySchema, value: unknown) => {
  const result = parseOrErrors(schema, value);
  return (result as { errors: s.ValidationError[] }).errors.map((entry) => entry.loc.slice(1).join("/"));
};

const Cluster = s.model("Cluster", {
  label: s.string(),
  workers: s.integer().optional(),
  tags: s.map(s.string()).default({}),
});
const Spec = s.model("Spec", {
  name: s.string({ min: 1 }),
  clusters: s.list(Cluster).nullable().optional(),
  serverless: s.boolean().default(false),
  note: s.string().nullable().default("none"),
});

test("defaults are added, absent optional keys stay absent, unknown keys are dropped", () => {
  assert.deepEqual(parseOrErrors(Spec, { name: "a", zz: 1 }), { name: "a", serverless: false, note: "none" });
});

test("null is accepted only if nullable, and is not the same as absent", () => {
  assert.deepEqual(parseOrErrors(Spec, { name: "a", clusters: null, note: null }), {
    name: "a",
    clusters: null,
    serverless: false,
    note: null,
  });
  assert.deepEqual(errorTypes(Spec, { name: null, serverless: null }), ["string_type", "bool_type"]);
  assert.deepEqual(errorTypes(Cluster, { label: "x", workers: null, tags: null }), ["int_type", "dict_type"]);
});

test("a missing key is reported with the object that lacks it", () => {
  const sent = { Name: "case matters" };
  assert.deepEqual(parseOrErrors(Spec, sent), {
    errors: [{ type: "missing", loc: ["body", "name"], msg: "Field required", input: sent }],
  });
});

test("a value that is not an object is model_attributes_type, at every depth", () => {
  const msg = "Input should be a valid dictionary or object to extract fields from";
  for (const value of [null, [], 5, "x", true]) {
    assert.deepEqual(parseOrErrors(Spec, value), {
      errors: [{ type: "model_attributes_type", loc: ["body"], msg, input: value }],
    });
  }
  assert.deepEqual(parseOrErrors(Spec, { name: "a", clusters: [5] }), {
    errors: [{ type: "model_attributes_type", loc: ["body", "clusters", 0], msg, input: 5 }],
  });
});

test("a value that is not an array is list_type, and for a map a value that is not an object is dict_type", () => {
  assert.deepEqual(parseOrErrors(s.list(s.any()), {}), {
    errors: [{ type: "list_type", loc: ["body"], msg: "Input should be a valid list", input: {} }],
  });
  assert.deepEqual(parseOrErrors(s.map(), []), {
    errors: [{ type: "dict_type", loc: ["body"], msg: "Input should be a valid dictionary", input: [] }],
  });
});

test("all errors are reported together, in field order, and in request order within arrays and maps", () => {
  const sent = decode(
    '{"note":5,"serverless":"x","clusters":[{"tags":{"b":1,"0":2,"":3,"a.b":4}},5,{"label":null}],"name":""}',
  );
  assert.deepEqual(locations(Spec, sent), [
    "name",
    "clusters/0/label",
    "clusters/0/tags/b",
    "clusters/0/tags/0",
    "clusters/0/tags/",
    "clusters/0/tags/a.b",
    "clusters/1",
    "clusters/2/label",
    "serverless",
    "note",
  ]);
});

test("input is the raw value, before coercion", () => {
  const result = parseOrErrors(s.model("M", { a: s.integer(), b: s.string() }), { a: "5" });
  assert.deepEqual((result as { errors: s.ValidationError[] }).errors[0]?.input, { a: "5" });
});

test("a default map or list is copied for each request", () => {
  const Model = s.model("Model", { map: s.map().default({ deep: [1] }), list: s.list(s.any()).default([]) });
  const first = parseOrErrors(Model, {}) as s.Infer<typeof Model>;
  first.map.more = 1;
  (first.map.deep as number[]).push(2);
  first.list.push(1);
  assert.deepEqual(parseOrErrors(Model, {}), { map: { deep: [1] }, list: [] });
});

test("__proto__ is an ordinary key, and fields are never read from the prototype", () => {
  const sent = decode('{"__proto__":{"name":"smuggled"},"serverless":true}');
  assert.deepEqual(errorTypes(Spec, sent), ["missing"]);
  assert.deepEqual(errorTypes(s.model("Odd", { constructor: s.string(), toString: s.string() }), {}), [
    "missing",
    "missing",
  ]);
  const map = parseOrErrors(s.map(s.string()), decode('{"__proto__":"x"}')) as Record<string, string>;
  assert.deepEqual(Object.entries(map), [["__proto__", "x"]]);
  assert.equal(Object.getPrototypeOf(map), Object.prototype);
});

test("a model with additional properties keeps them", () => {
  const Open = s.model("Open", { id: s.string() }, { additional: true });
  const value = parseOrErrors(Open, decode('{"x":[1],"id":"a","__proto__":1}')) as Record<string, unknown>;
  assert.deepEqual(Object.entries(value), [
    ["id", "a"],
    ["x", [1]],
    ["__proto__", 1],
  ]);
});

test("a closed model reports each unknown key at its location", () => {
  const Closed = s.model("Closed", { id: s.string() }, { closed: (key: string) => `There is no ${key}` });
  assert.deepEqual(parseOrErrors(Closed, { id: "a" }), { id: "a" });
  const { errors } = parseOrErrors(s.list(Closed), decode('[{"x":[1],"id":"a","0":2}]')) as {
    errors: s.ValidationError[];
  };
  assert.deepEqual(errors, [
    {
      type: "extra_forbidden",
      loc: ["body", 0, "x"],
      msg: "There is no x",
      input: [1],
      ctx: { expected: "id" },
    },
    {
      type: "extra_forbidden",
      loc: ["body", 0, "0"],
      msg: "There is no 0",
      input: 2,
      ctx: { expected: "id" },
    },
  ]);
});

test("a rule adds a value_error at its location, with the raw value, if the value is valid otherwise", () => {
  const Even = s.model("Even", { n: s.integer() }).rule(({ n }) => (n % 2 ? "n must be even" : undefined));
  assert.deepEqual(parseOrErrors(Even, { n: "2" }), { n: 2 });
  assert.deepEqual(parseOrErrors(s.list(Even), [{ n: "3" }, { n: "x" }]), {
    errors: [
      {
        type: "value_error",
        loc: ["body", 0],
        msg: "Value error, n must be even",
        input: { n: "3" },
        ctx: { error: {} },
      },
      {
        type: "int_parsing",
        loc: ["body", 1, "n"],
        msg: "Input should be a valid integer, unable to parse string as an integer",
        input: "x",
      },
    ],
  });
});

test("an outer rule is not called if an inner rule fails", () => {
  const inner = s.string().rule((text) => (text === "bad" ? "inner" : undefined));
  const Outer = s.model("Outer", { text: inner }).rule(() => "outer");
  const messages = (value: unknown) =>
    (parseOrErrors(Outer, value) as { errors: s.ValidationError[] }).errors.map((entry) => entry.msg);
  assert.deepEqual(messages({ text: "bad" }), ["Value error, inner"]);
  assert.deepEqual(messages({ text: "good" }), ["Value error, outer"]);
});

test("a rule is not called for an absent, defaulted or null value", () => {
  const never = s.string().rule(() => "called");
  const Model = s.model("Model", { a: never.optional(), b: never.default("x"), c: never.nullable() });
  assert.deepEqual(parseOrErrors(Model, { c: null }), { b: "x", c: null });
});

test("a choice checks only the schema that the raw value selects", () => {
  const Choice = s.choice(
    "Choice",
    (raw) => (s.has(raw, "b") ? 1 : 0),
    s.model("A", { a: s.string() }),
    s.model("B", { b: s.string() }),
  );
  assert.deepEqual(parseOrErrors(Choice, { a: "x" }), { a: "x" });
  assert.deepEqual(locations(Choice, { a: "x", b: null }), ["b"]);
  assert.deepEqual(locations(Choice, 5), [""]);
});

test("an extension key is not checked and may be absent", () => {
  const Model = s.model("Model", { datasets: s.extension(s.list(s.string())) });
  assert.deepEqual(parseOrErrors(Model, { datasets: { not: ["a list"] } }), {
    datasets: { not: ["a list"] },
  });
  assert.deepEqual(parseOrErrors(Model, {}), {});
});

test("check restores the path, and errors do not share it", () => {
  const loc: s.Loc = ["body"];
  const entries: s.ValidationError[] = [];
  Spec.check({ name: 5, clusters: [{ tags: { a: 1 } }] }, loc, entries);
  assert.deepEqual(loc, ["body"]);
  assert.equal(new Set(entries.map((entry) => entry.loc)).size, 3);
});

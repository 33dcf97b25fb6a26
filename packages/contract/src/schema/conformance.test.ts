import assert from "node:assert/strict";
import { test } from "node:test";
import * as s from "./index.ts";

const Result = s.model("Result", {
  id: s.string(),
  total: s.integer(),
  status: s.string().default("success"),
  note: s.string().nullable().optional(),
  items: s.list(s.model("Item", { flag: s.boolean() })),
  configuration: s.map(),
});
const result = { id: "a", total: 5, status: "success", items: [{ flag: true }], configuration: { any: [1] } };

test("a response that parsing does not change conforms", () => {
  assert.equal(s.conformanceError(Result, result), undefined);
  assert.equal(s.conformanceError(Result, { ...result, note: null }), undefined);
});

test("a key whose value is undefined counts as absent", () => {
  assert.equal(s.conformanceError(Result, { ...result, note: undefined, unknown: undefined }), undefined);
  assert.equal(s.conformanceError(Result, { ...result, id: undefined }), "id: Field required");
  assert.equal(
    s.conformanceError(Result, { ...result, status: undefined }),
    "status: missing, and has a default",
  );
});

const rows: [string, unknown, string][] = [
  ["an error", { ...result, id: 5 }, "id: Input should be a valid string"],
  ["a missing key", { id: "a" }, "total: Field required"],
  ["a coercion", { ...result, total: "5" }, "total: parsing would convert the string to a different number"],
  [
    "a coercion inside",
    { ...result, items: [{ flag: 1 }] },
    "items.0.flag: parsing would convert the number to a different boolean",
  ],
  ["a dropped key", { ...result, extra: 1 }, "extra: not a field of the schema"],
  [
    "a dropped key inside",
    { ...result, items: [{ flag: true, x: 1 }] },
    "items.0.x: not a field of the schema",
  ],
  ["no object", null, "the response: Input should be a valid dictionary or object to extract fields from"],
];
for (const [what, value, sentence] of rows) {
  test(`${what} does not conform, and the message has the location`, () => {
    assert.equal(s.conformanceError(Result, value), sentence);
  });
}

test("a missing default does not conform", () => {
  const { status: _, ...rest } = result;
  assert.equal(s.conformanceError(Result, rest), "status: missing, and has a default");
});

test("additional properties conform where the model allows them", () => {
  const Open = s.model("Open", { id: s.string() }, { additional: true });
  assert.equal(s.conformanceError(Open, { id: "a", further: { x: 1 } }), undefined);
});

test("the message never contains a value", () => {
  assert.doesNotMatch(s.conformanceError(Result, { ...result, total: "hunter2" }) ?? "", /hunter2/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import * as s from "./index.ts";

const Answer = s.model("Answer", {
  id: s.string(),
  total: s.integer(),
  status: s.string().default("success"),
  note: s.string().nullable().optional(),
  items: s.list(s.model("Item", { flag: s.boolean() })),
  configuration: s.map(),
});
const answer = { id: "a", total: 5, status: "success", items: [{ flag: true }], configuration: { any: [1] } };

test("an answer that parsing leaves as it is conforms", () => {
  assert.equal(s.conforms(Answer, answer), undefined);
  assert.equal(s.conforms(Answer, { ...answer, note: null }), undefined);
});

test("a key whose value is undefined counts as absent", () => {
  assert.equal(s.conforms(Answer, { ...answer, note: undefined, unknown: undefined }), undefined);
  assert.equal(s.conforms(Answer, { ...answer, id: undefined }), "id: Field required");
  assert.equal(s.conforms(Answer, { ...answer, status: undefined }), "status: left to its default");
});

const rows: [string, unknown, string][] = [
  ["an error", { ...answer, id: 5 }, "id: Input should be a valid string"],
  ["a missing key", { id: "a" }, "total: Field required"],
  ["a coercion", { ...answer, total: "5" }, "total: the string would become another number"],
  [
    "a coercion inside",
    { ...answer, items: [{ flag: 1 }] },
    "items.0.flag: the number would become another boolean",
  ],
  ["a dropped key", { ...answer, extra: 1 }, "extra: not a field of the contract"],
  [
    "a dropped key inside",
    { ...answer, items: [{ flag: true, x: 1 }] },
    "items.0.x: not a field of the contract",
  ],
  ["no object", null, "the whole: Input should be a valid dictionary or object to extract fields from"],
];
for (const [what, value, sentence] of rows) {
  test(`${what} does not conform, and the sentence says where`, () => {
    assert.equal(s.conforms(Answer, value), sentence);
  });
}

test("a default left out does not conform", () => {
  const { status: _, ...rest } = answer;
  assert.equal(s.conforms(Answer, rest), "status: left to its default");
});

test("additional properties conform where the model allows them", () => {
  const Open = s.model("Open", { id: s.string() }, { additional: true });
  assert.equal(s.conforms(Open, { id: "a", further: { x: 1 } }), undefined);
});

test("the sentence never shows a value", () => {
  assert.doesNotMatch(s.conforms(Answer, { ...answer, total: "hunter2" }) ?? "", /hunter2/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalText } from "./canonical-text.ts";

test("definitions that mean the same have the same text", () => {
  assert.equal(canonicalText({ b: [1, null, { d: 2n, c: null }], a: "x" }), '{"a":"x","b":[1,null,{"d":2}]}');
  assert.equal(
    canonicalText({ a: "x", e: undefined, b: [1, undefined, { d: 2 }] }),
    '{"a":"x","b":[1,null,{"d":2}]}',
  );
  assert.equal(canonicalText(undefined), "null");
  // Keys that are numbers come first, ordered by value, as in earlier versions: stored digests stay valid.
  assert.equal(canonicalText({ b: 1, 10: 2, 9: 3, "01": 4 }), '{"9":3,"10":2,"01":4,"b":1}');
  assert.equal(canonicalText(JSON.parse('{"__proto__":1}')), '{"__proto__":1}');
});

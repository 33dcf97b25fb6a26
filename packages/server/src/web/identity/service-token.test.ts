import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceTokenMatcher } from "./authenticate.ts";

test("only the service token and its predecessor are accepted", () => {
  const matches = serviceTokenMatcher(["new", "old"]);
  assert.deepEqual(["new", "old", "", "ne", "new ", "newold", "NEW"].map(matches), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("without a configured token nothing is accepted", () => {
  const matches = serviceTokenMatcher([undefined, undefined]);
  assert.equal(matches(""), false);
  assert.equal(matches("undefined"), false);
});

test("a token with non-ASCII characters matches by its bytes", () => {
  const matches = serviceTokenMatcher(["schlüssel"]);
  assert.equal(matches(Buffer.from("schlüssel", "utf8").toString("latin1")), true);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isNightly, someOf } from "./nightly.ts";

test("some of the cases are evenly distributed, with the last one", { skip: isNightly }, () => {
  const cases = [1, 2, 3, 4, 5];
  assert.deepEqual(someOf(cases, 1), [5]);
  assert.deepEqual(someOf(cases, 2), [3, 5]);
  assert.deepEqual(someOf(cases, 5), cases);
  assert.deepEqual(someOf(cases, 9), cases);
  assert.deepEqual(someOf([], 2), []);
});

test("at night all cases are tried", { skip: !isNightly }, () => {
  assert.deepEqual(someOf([1, 2, 3], 1), [1, 2, 3]);
});

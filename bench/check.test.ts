import assert from "node:assert/strict";
import { test } from "node:test";
import { fallen } from "./check.ts";

test("a ratio may fall by a quarter, and no further", () => {
  assert.deepEqual(fallen({ floor: 0.8 }, { floor: 0.61 }), []);
  assert.deepEqual(fallen({ floor: 0.8 }, { floor: 0.59 }), ["59 % of the floor, 80 % before"]);
});

test("a write that fell against one floor only ran on another disk", () => {
  assert.deepEqual(fallen({ floor: 1, grouped: 0.5 }, { floor: 0.3, grouped: 0.5 }), []);
  assert.deepEqual(fallen({ floor: 1, grouped: 0.5 }, { floor: 3, grouped: 0.2 }), []);
  assert.equal(fallen({ floor: 1, grouped: 0.5 }, { floor: 0.3, grouped: 0.2 }).length, 2);
});

test("what was not measured before, or is not measured now, did not fall", () => {
  assert.deepEqual(fallen(undefined, { floor: 0.1 }), []);
  assert.deepEqual(fallen({ floor: 0.8, peer: 7 }, { floor: 0.8 }), []);
  assert.deepEqual(fallen({ floor: 0.8, peer: 8 }, { floor: 0.8, peer: 5 }), [
    "500 % of the peer, 800 % before",
  ]);
});

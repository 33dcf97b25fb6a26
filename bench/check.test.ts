import assert from "node:assert/strict";
import { test } from "node:test";
import { fallen } from "./check.ts";
import type { Ratios } from "./comparison.ts";

const quiet = (ratios: Partial<Ratios>) => ({
  ratios: { floor: 1, processor: 1, ...ratios },
  outside: 0,
});

test("a ratio may fall by a quarter, and no further", () => {
  assert.deepEqual(fallen({ floor: 0.8 }, quiet({ floor: 0.61 })), []);
  assert.deepEqual(fallen({ floor: 0.8 }, quiet({ floor: 0.59 })), ["59 % of the floor, 80 % before"]);
});

test("a write that fell against one floor only ran on another disk", () => {
  const before = { floor: 1, grouped: 0.5 };
  assert.deepEqual(fallen(before, quiet({ floor: 0.3, grouped: 0.5 })), []);
  assert.deepEqual(fallen(before, quiet({ floor: 3, grouped: 0.2 })), []);
  assert.equal(fallen(before, quiet({ floor: 0.3, grouped: 0.2 })).length, 2);
});

test("what was not measured before, or is not measured now, did not fall", () => {
  assert.deepEqual(fallen(undefined, quiet({ floor: 0.1 })), []);
  assert.deepEqual(fallen({ floor: 0.8, peer: 7 }, quiet({ floor: 0.8 })), []);
  assert.deepEqual(fallen({ floor: 0.8, peer: 8 }, quiet({ floor: 0.8, peer: 5 })), [
    "500 % of the peer, 800 % before",
  ]);
});

test("slower code falls in speed and in processor time; other programs change one of them", () => {
  const before = { floor: 1, processor: 0.4 };
  const now = (floor: number, processor: number, outside = 0.2) =>
    fallen(before, { ratios: { floor, processor }, outside });
  assert.deepEqual(now(0.3, 0.35), []);
  assert.deepEqual(now(1, 0.2), []);
  assert.deepEqual(now(0.7, 0.29), [
    "70 % of the floor, 100 % before",
    "29 % of our processor time is the floor's, 40 % before",
  ]);
  assert.deepEqual(now(0.3, 0.1, 0.9), [], "most of the machine is used by others");
});

test("half of the speed on a quiet machine is a fall without processor time, too", () => {
  const before = { floor: 1, processor: 0.4 };
  assert.equal(fallen(before, { ratios: { floor: 0.45, processor: 0.4 }, outside: 0 }).length, 2);
  assert.deepEqual(fallen(before, { ratios: { floor: 0.55, processor: 0.4 }, outside: 0 }), []);
});

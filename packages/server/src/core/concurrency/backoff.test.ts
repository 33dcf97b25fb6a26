import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "./backoff.ts";

test("the pause doubles from the first to the longest, minus a random part of up to a half", () => {
  const pause = (failures: number) => backoffMs(failures, 1, 300, () => 0);
  assert.deepEqual([1, 2, 3, 9, 10, 50].map(pause), [1000, 2000, 4000, 256_000, 300_000, 300_000]);
  assert.equal(
    backoffMs(1, 1, 300, () => 0.5),
    750,
  );
});

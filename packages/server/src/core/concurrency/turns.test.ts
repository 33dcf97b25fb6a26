import assert from "node:assert/strict";
import { test } from "node:test";
import { turns } from "./turns.ts";

test("work that never waits for anything lets others have a turn", async () => {
  const turn = turns(5);
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  // Without turns, promises that are settled already would hold the thread for good.
  const end = performance.now() + 10_000;
  while (!hadTurn && performance.now() < end) await turn();
  assert.ok(hadTurn);
});

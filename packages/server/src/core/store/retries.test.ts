import assert from "node:assert/strict";
import test from "node:test";
import { createSystem } from "../system.ts";
import { createRetries, VersionConflict, withoutTurns } from "./retries.ts";

/** A rule that conflicts once about a row, and then ends when it is told to. */
function heldRule(about: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let tries = 0;
  return {
    release: resolve,
    get isRetried() {
      return tries > 1;
    },
    async rule() {
      tries += 1;
      if (tries === 1) throw new VersionConflict("missed", about);
      await promise;
    },
  };
}

const turn = () => new Promise((next) => setImmediate(next));

test("rules that conflict about one row are retried one after the other", async () => {
  const { retryOnConflict } = createRetries(createSystem());
  const [first, second] = [heldRule("row"), heldRule("row")];
  const both = [retryOnConflict(first.rule), retryOnConflict(second.rule)];
  await turn();
  assert.deepEqual([first.isRetried, second.isRetried], [true, false]);
  first.release();
  second.release();
  await Promise.all(both);
});

test("a rule within another one, or in a transaction scope, waits for no turn", async () => {
  const retries = createRetries(createSystem());
  const held = heldRule("row");
  const done = retries.retryOnConflict(held.rule);
  for (const retry of [retries.retryWithinRule, withoutTurns(retries).retryOnConflict]) {
    const other = heldRule("row");
    other.release();
    await retry(other.rule);
  }
  held.release();
  await done;
});

test("two rules that wrongly wait for each other end after their patience", async () => {
  const { retryOnConflict } = createRetries(createSystem(), 50);
  const nested = (outer: string, inner: string) => {
    let outerTries = 0;
    return retryOnConflict(async () => {
      outerTries += 1;
      if (outerTries === 1) throw new VersionConflict("missed", outer);
      let innerTries = 0;
      await turn();
      await retryOnConflict(async () => {
        innerTries += 1;
        if (innerTries === 1) throw new VersionConflict("missed", inner);
      });
    });
  };
  await Promise.all([nested("one", "two"), nested("two", "one")]);
});

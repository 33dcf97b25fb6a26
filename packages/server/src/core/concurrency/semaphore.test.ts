import assert from "node:assert/strict";
import { test } from "node:test";
import { createSemaphore } from "./semaphore.ts";

const never = new AbortController().signal;

test("so many work at once; the others follow in their order, and one who gives up lets them pass", async () => {
  const turns = createSemaphore(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, signal = never) =>
    turns(signal, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const gone = new AbortController();
  const all = [work("a"), work("b"), work("c", gone.signal), work("d"), work("e")];
  await new Promise(setImmediate);
  assert.deepEqual(begun, ["a", "b"]);
  gone.abort(new Error("gone"));
  await assert.rejects(all[2] as Promise<void>, /gone/);
  ends.get("b")?.();
  await all[1];
  await new Promise(setImmediate);
  assert.deepEqual(begun, ["a", "b", "d"]);
  for (const name of ["a", "d"]) ends.get(name)?.();
  await Promise.all([all[0], all[3]]);
  await new Promise(setImmediate);
  ends.get("e")?.();
  await all[4];
  assert.deepEqual(begun, ["a", "b", "d", "e"]);
});

test("work that throws gives its turn on", async () => {
  const turns = createSemaphore(1);
  const fail = turns(never, async () => {
    throw new Error("no");
  });
  const next = turns(never, async () => "done");
  await assert.rejects(fail, /no/);
  assert.equal(await next, "done");
});

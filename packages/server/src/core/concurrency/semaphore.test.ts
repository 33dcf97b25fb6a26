import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { createSemaphore } from "./semaphore.ts";

const never = new AbortController().signal;

test("a semaphore runs at most that many tasks at once; waiting tasks start in FIFO order, and an aborted one is skipped", async () => {
  const semaphore = createSemaphore(2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, signal = never) =>
    semaphore(signal, () => {
      started.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const aborted = new AbortController();
  const all = [work("a"), work("b"), work("c", aborted.signal), work("d"), work("e")];
  await new Promise(setImmediate);
  assert.deepEqual(started, ["a", "b"]);
  aborted.abort(new Error("aborted"));
  await assert.rejects(all[2] as Promise<void>, /aborted/);
  ends.get("b")?.();
  await all[1];
  await new Promise(setImmediate);
  assert.deepEqual(started, ["a", "b", "d"]);
  for (const name of ["a", "d"]) ends.get(name)?.();
  await Promise.all([all[0], all[3]]);
  await new Promise(setImmediate);
  ends.get("e")?.();
  await all[4];
  assert.deepEqual(started, ["a", "b", "d", "e"]);
});

test("a task that throws releases its permit", async () => {
  const semaphore = createSemaphore(1);
  const fail = semaphore(never, async () => {
    throw new Error("no");
  });
  const next = semaphore(never, async () => "done");
  await assert.rejects(fail, /no/);
  assert.equal(await next, "done");
});

test("tasks that wait with one signal have one listener, and all of them are aborted", async () => {
  const semaphore = createSemaphore(1);
  const controller = new AbortController();
  const { signal } = controller;
  const work = () => new Promise<void>((end) => setImmediate(end));
  const all = Array.from({ length: 1_000 }, () => semaphore(signal, work));
  assert.equal(getEventListeners(signal, "abort").length, 1);
  await all[1];
  controller.abort(new Error("aborted"));
  const ended = await Promise.allSettled(all);
  assert.deepEqual(
    Object.entries(Object.groupBy(ended, ({ status }) => status)).map(([status, some]) => [
      status,
      some.length,
    ]),
    [
      ["fulfilled", 3],
      ["rejected", 997],
    ],
  );
  await Promise.all([semaphore(never, work), semaphore(new AbortController().signal, work)]);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

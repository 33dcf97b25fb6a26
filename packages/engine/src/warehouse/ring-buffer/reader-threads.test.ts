import assert from "node:assert/strict";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import type { SyntheticRows } from "../../testing/synthetic-rows.ts";
import { ReaderThreads } from "./reader-threads.ts";
import { RingBuffer } from "./ring-buffer.ts";
import type { ReaderMessage } from "./row-writer.ts";
import type { WireType } from "./wire-type.ts";
import { parseWireType } from "./wire-type.ts";

const module = new URL("../../testing/synthetic-rows-thread.ts", import.meta.url);
const wires = ["BIGINT", "BOOLEAN", "DOUBLE", "VARCHAR", "JSON", "BLOB"].map(
  (type) => parseWireType(type) as WireType,
);

/** A task, and what its reader reports. */
function taskOf(input: SyntheticRows) {
  const shared = RingBuffer.share(wires);
  const { port1, port2 } = new MessageChannel();
  const messages: ReaderMessage[] = [];
  return {
    task: { input, ring: { ...shared, port: port2 } },
    ring: new RingBuffer(shared),
    messages,
    onMessage: (message: ReaderMessage) => void messages.push(message),
    close: () => port1.close(),
  };
}

test("a task that has completed does not stop the next one on its thread", async (t) => {
  const readers = new ReaderThreads();
  t.after(() => readers.close());
  const first = taskOf({ count: 10, ending: "end" });
  const second = taskOf({ count: 10, pauseAt: 5, pauseMs: 300, ending: "end" });
  const reading = readers.start(module, first.task, first.onMessage);
  await reading.ended;
  const next = readers.start(module, second.task, second.onMessage);
  await reading.stop();
  await next.ended;
  assert.ok(second.ring.isEnded);
  // The position is the id of the thread.
  const positions = [first, second].map(({ messages }) => messages.filter((one) => "position" in one));
  assert.deepEqual(positions[1], positions[0]);
  assert.equal(first.messages.length, second.messages.length);
  for (const { close } of [first, second]) close();
});

test("a task that is stopped ends its thread, and its reading fails", async (t) => {
  const readers = new ReaderThreads();
  t.after(() => readers.close());
  const given = taskOf({ count: 10, pauseAt: 5, pauseMs: 600_000, ending: "end" });
  const reading = readers.start(module, given.task, given.onMessage);
  await reading.stop();
  await assert.rejects(reading.ended, /exited before the end/);
  given.close();
});

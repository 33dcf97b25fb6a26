import assert from "node:assert/strict";
import { test } from "node:test";
import { createNews } from "./other-servers.ts";

/** How often a poller with an interval of half a second has to ask the database in ten minutes. */
function asked(isListening: boolean, writtenAt: (ms: number) => number = () => 0): number {
  let ms = 0;
  const others = { isListening: () => isListening, onWritten: () => {} };
  const hasNews = createNews({ others, written: () => writtenAt(ms) }, () => ms);
  let count = 0;
  for (; ms < 600_000; ms += 500) if (hasNews()) count += 1;
  return count;
}

test("while commits are reported, an idle server asks every half minute", () => {
  assert.equal(asked(true), 20);
});

test("while they are not, it asks each time", () => {
  assert.equal(asked(false), 1200);
});

test("each report is followed by one question", () => {
  const everyTwoSeconds = (ms: number) => Math.floor(ms / 2_000);
  assert.equal(asked(true, everyTwoSeconds), 300);
});

test("a database without other servers is asked only after a write", () => {
  let written = 0;
  const hasNews = createNews({ others: undefined, written: () => written });
  assert.deepEqual([hasNews(), hasNews()], [true, false]);
  written += 1;
  assert.deepEqual([hasNews(), hasNews()], [true, false]);
});

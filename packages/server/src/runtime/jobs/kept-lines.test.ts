import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptLines, keptCharacters, keptLines } from "./kept-lines.ts";

const linesOf = (from: number, to: number, length: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ n: from + at, length }));

test("the first and the last lines of a log stay, whatever is added", () => {
  const kept = KeptLines.of(linesOf(1, 2 * keptLines, 10));
  assert.equal(kept.leftOut, undefined);
  for (const line of linesOf(2 * keptLines + 1, 100_000, 10)) kept.add(line);
  assert.equal(kept.last, 100_000);
  assert.deepEqual(kept.leftOut, { from: keptLines + 1, to: 100_000 - keptLines });
});

test("a stored log goes on where it ended, with its gap", () => {
  const note = { n: keptLines + 1, length: 80 };
  const kept = KeptLines.of([...linesOf(1, keptLines, 10), note, ...linesOf(20_000, 20_100, 10)]);
  assert.deepEqual(kept.leftOut, { from: keptLines + 1, to: 19_999 });
  for (const line of linesOf(20_101, 40_000, 10)) kept.add(line);
  assert.deepEqual(kept.leftOut, { from: keptLines + 1, to: 40_000 - keptLines });
});

test("long lines count by their characters, and the last line always stays", () => {
  const kept = KeptLines.of(linesOf(1, 10, keptCharacters / 2));
  assert.deepEqual(kept.leftOut, { from: 3, to: 8 });
  kept.add({ n: 11, length: 2 * keptCharacters });
  assert.deepEqual(kept.leftOut, { from: 3, to: 10 });
});

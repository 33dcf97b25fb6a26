import assert from "node:assert/strict";
import { test } from "node:test";
import { ticksOf } from "../src/pages/runs/ticks.ts";

test("a timeline has times of the clock; midnight has the day", () => {
  const now = new Date(2026, 2, 10, 14, 37).getTime();
  const texts = (hours: number) => ticksOf(hours, now).map(({ text }) => text);
  assert.deepEqual(texts(1), ["13:45", "14:00", "14:15", "14:30"]);
  assert.deepEqual(texts(6), ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00"]);
  assert.deepEqual(texts(24), ["15:00", "18:00", "21:00", "Tue 10", "03:00", "06:00", "09:00", "12:00"]);
  assert.equal(texts(168).length, 7);
  assert.equal(texts(168).at(-1), "Tue 10");
  for (const { atMs } of ticksOf(24, now)) assert.ok(atMs > now - 24 * 3_600_000 && atMs <= now);
});

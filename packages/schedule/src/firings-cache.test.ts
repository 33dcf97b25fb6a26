import assert from "node:assert/strict";
import { test } from "node:test";
import { firingsOf } from "./firings-cache.ts";

const instant = Date.parse("2026-01-01T00:00:00Z");

test("a schedule is parsed once", () => {
  assert.equal(firingsOf("1 6 * * *", "Europe/Berlin"), firingsOf("1 6 * * *", "Europe/Berlin"));
});

test("schedules that differ in their time zone are kept apart", () => {
  assert.equal(firingsOf("1 6 * * *", "UTC").after(instant), Date.parse("2026-01-01T06:01:00Z"));
  assert.equal(firingsOf("1 6 * * *", "Europe/Berlin").after(instant), Date.parse("2026-01-01T05:01:00Z"));
});

test("the schedule that was used least recently is dropped", () => {
  const [first, second] = [firingsOf("2 6 * * *", "UTC"), firingsOf("3 6 * * *", "UTC")];
  for (let index = 0; index < 127; index += 1) {
    firingsOf(`${index % 60} ${Math.floor(index / 60)} * * *`, "UTC");
    assert.equal(firingsOf("2 6 * * *", "UTC"), first);
  }
  assert.notEqual(firingsOf("3 6 * * *", "UTC"), second);
});

test("an invalid schedule throws each time", () => {
  for (const attempt of [1, 2]) {
    assert.throws(() => firingsOf("0 6 * *", "UTC"), `attempt ${attempt}`);
    assert.throws(() => firingsOf("0 6 * * *", "Mars/Olympus"), `attempt ${attempt}`);
  }
});

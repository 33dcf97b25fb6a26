import assert from "node:assert/strict";
import { test } from "node:test";
import { testSystem } from "../web/identity/test-dependencies.ts";
import { createClockWatch, stopwatch } from "./clock.ts";
import { createExpiries } from "./expiries.ts";

const second = 1_000;
const hour = 3_600_000;

test("a clock that is set is noticed once, in both directions; time that passes is not", () => {
  const system = testSystem();
  const clock = createClockWatch(system);
  system.advance(hour);
  assert.equal(clock.change(), 0);
  for (const ms of [3 * hour, -3 * hour, -5 * second]) {
    system.setAhead(ms);
    assert.deepEqual([clock.change(), clock.change()], [ms, 0]);
  }
});

test("a stopwatch goes on while the clock is set back, and counts a jump ahead", () => {
  const system = testSystem();
  const elapsed = stopwatch(system);
  system.setAhead(-hour);
  system.advance(second);
  assert.equal(elapsed(), second);
  system.setAhead(2 * hour);
  assert.equal(elapsed(), hour + second);
});

test("a jump ahead counts for retention after a day, a clock that is set back at once", () => {
  const system = testSystem();
  const clock = createClockWatch(system);
  const proven = () => clock.provenTime().getTime();
  const start = system.now().getTime();
  system.setAhead(3 * hour);
  system.advance(14 * second);
  assert.equal(proven(), start + 14 * second);
  system.setAhead(-3 * hour);
  assert.equal(proven(), start + 14 * second);

  system.setAhead(400 * 24 * hour);
  const before = proven();
  system.advance(23 * hour);
  assert.equal(proven(), before + 23 * hour);
  system.advance(hour);
  assert.equal(proven(), system.now().getTime());
  system.setAhead(-30 * 24 * hour);
  assert.equal(proven(), system.now().getTime());
});

test("what another server renews has not expired, however the clocks are set; what it no longer renews has", () => {
  const system = testSystem();
  const expiries = createExpiries(system, 15 * second);
  const renewed = () => new Date(system.now().getTime() + 15 * second).toISOString();
  const isExpired = (until: string) => expiries.expired([{ key: "one", until }])[0];
  isExpired(renewed());
  system.advance(5 * second);
  const until = renewed();
  assert.equal(isExpired(until), false);
  system.setAhead(3 * hour);
  assert.equal(isExpired(until), false, "it was renewed a moment ago");
  system.advance(10 * second);
  assert.equal(isExpired(until), true);

  // The other server renews once while the clock is ahead, and then no longer.
  const later = renewed();
  assert.equal(isExpired(later), false);
  system.setAhead(-3 * hour);
  system.advance(15 * second);
  assert.equal(isExpired(later), false);
  system.advance(1);
  assert.equal(isExpired(later), true);
});

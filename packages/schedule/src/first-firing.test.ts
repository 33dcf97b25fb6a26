import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { Firings } from "./firings.ts";
import { firingProblem, firstFiring } from "./first-firing.ts";
import { arbitraryCron } from "./testing/arbitrary-cron.ts";

const ms = Date.parse;

test("a cached answer is valid up to the firing it names, and for no other instant", () => {
  const at = (after: string) => firstFiring("7 6 * * *", "Europe/Berlin", ms(after));
  const answers = [
    ["2026-01-01T00:00:00Z", "2026-01-01T05:07:00Z"],
    ["2026-01-01T05:06:59.999Z", "2026-01-01T05:07:00Z"],
    ["2026-01-01T05:07:00Z", "2026-01-02T05:07:00Z"],
    ["2025-12-31T23:00:00Z", "2026-01-01T05:07:00Z"],
    ["2026-06-30T23:00:00Z", "2026-07-01T04:07:00Z"],
    ["2026-01-01T00:00:00Z", "2026-01-01T05:07:00Z"],
  ] as const;
  for (const [after, firing] of answers) {
    const answer = at(after);
    assert.equal("at" in answer && answer.at, ms(firing), after);
  }
});

test("the result is the first firing of the schedule, whatever the calls before", () => {
  const around = [ms("2026-03-28T12:00:00Z"), ms("2026-10-24T12:00:00Z"), ms("2026-02-27T12:00:00Z")];
  fc.assert(
    fc.property(
      arbitraryCron,
      fc.constantFrom("UTC", "Europe/Berlin", "America/New_York"),
      fc.array(fc.tuple(fc.constantFrom(...around), fc.nat(3 * 86_400_000)), { minLength: 2, maxLength: 6 }),
      (cron, timezone, instants) => {
        for (const [from, later] of instants) {
          const answer = firstFiring(cron, timezone, from + later);
          if ("problem" in answer) continue;
          assert.equal(answer.at, new Firings(cron, timezone).after(from + later));
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("a schedule that never fires has a problem", () => {
  const problemOf = (cron: string, timezone: string) => {
    const answer = firstFiring(cron, timezone, ms("2026-01-01"));
    return "problem" in answer && answer.problem;
  };
  assert.equal(problemOf("0 6 * * *", "Mars/Olympus"), 'Unknown time zone "Mars/Olympus".');
  assert.equal(problemOf("nonsense", "Mars/Olympus"), 'Unknown time zone "Mars/Olympus".');
  assert.equal(
    problemOf("0 0 30 2 *", "UTC"),
    'The cron expression "0 0 30 2 *" never fires: its day does not exist.',
  );
  assert.match(
    problemOf("0 6 * *", "UTC") || "",
    /^The cron expression "0 6 \* \*" has 4 fields: expected five/,
  );
});

test("a check whether a schedule ever fires keeps the cached answer", () => {
  assert.equal(firingProblem("11 6 * * *", "Europe/Berlin"), undefined);
  const now = ms("2026-01-01");
  const answer = firstFiring("11 6 * * *", "Europe/Berlin", now);
  assert.equal(firingProblem("11 6 * * *", "Europe/Berlin"), undefined);
  assert.equal(firstFiring("11 6 * * *", "Europe/Berlin", now), answer);
  assert.match(firingProblem("0 0 30 2 *", "UTC") ?? "", /never fires/);
});

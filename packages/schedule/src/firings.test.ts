import assert from "node:assert/strict";
import { test } from "node:test";
import { Firings } from "./index.ts";

/** The firings after an instant, each as local time with its offset from UTC. */
function firingsOf(cron: string, timezone: string, after: string, count: number): string[] {
  return new Firings(cron, timezone)
    .next(Date.parse(after), count)
    .map((instant) =>
      Temporal.Instant.fromEpochMilliseconds(instant)
        .toZonedDateTimeISO(timezone)
        .toString({ timeZoneName: "never", smallestUnit: "minute" }),
    );
}

const changes: [rule: string, cron: string, timezone: string, after: string, firings: string[]][] = [
  [
    "a skipped local time fires once, right after the gap",
    "30 2 * * *",
    "Europe/Berlin",
    "2026-03-28T00:00:00Z",
    ["2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"],
  ],
  [
    "several skipped local times fire once together",
    "*/10 2 * * *",
    "Europe/Berlin",
    "2026-03-29T00:30:00Z",
    ["2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00"],
  ],
  [
    "the hour after the gap does not fire again for the skipped time",
    "0 2,3 * * *",
    "Europe/Berlin",
    "2026-03-29T00:30:00Z",
    ["2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00"],
  ],
  [
    "a local time that occurs twice fires the first time",
    "30 2 * * *",
    "Europe/Berlin",
    "2026-10-24T12:00:00Z",
    ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"],
  ],
  [
    "between the two, the next firing is tomorrow",
    "30 2 * * *",
    "Europe/Berlin",
    "2026-10-25T00:45:00Z",
    ["2026-10-26T02:30+01:00"],
  ],
  [
    "the first time after the repeated hour is not skipped",
    "0 3 * * *",
    "Europe/Berlin",
    "2026-10-25T00:45:00Z",
    ["2026-10-25T03:00+01:00", "2026-10-26T03:00+01:00"],
  ],
  [
    "an hourly schedule continues over the gap",
    "15 * * * *",
    "Europe/Berlin",
    "2026-03-28T23:30:00Z",
    ["2026-03-29T01:15+01:00", "2026-03-29T03:15+02:00", "2026-03-29T04:15+02:00"],
  ],
  [
    "an hourly schedule fires in both of the repeated hours",
    "15 * * * *",
    "Europe/Berlin",
    "2026-10-24T23:30:00Z",
    ["2026-10-25T02:15+02:00", "2026-10-25T02:15+01:00", "2026-10-25T03:15+01:00"],
  ],
  [
    "New York skips 02:00 to 03:00",
    "0 2 * * *",
    "America/New_York",
    "2026-03-07T12:00:00Z",
    ["2026-03-08T03:00-04:00", "2026-03-09T02:00-04:00"],
  ],
  [
    "New York has 01:00 to 02:00 twice",
    "59 1 * * *",
    "America/New_York",
    "2026-10-31T12:00:00Z",
    ["2026-11-01T01:59-04:00", "2026-11-02T01:59-05:00"],
  ],
  [
    "Lord Howe skips half an hour",
    "15 2 * * *",
    "Australia/Lord_Howe",
    "2026-10-03T00:00:00Z",
    ["2026-10-04T02:30+11:00", "2026-10-05T02:15+11:00"],
  ],
  [
    "in a gap of half an hour, an hourly schedule fires an hour after the last firing",
    "0 * * * *",
    "Australia/Lord_Howe",
    "2026-10-03T14:00:00Z",
    ["2026-10-04T01:00+10:30", "2026-10-04T02:30+11:00", "2026-10-04T03:00+11:00"],
  ],
  [
    "Lord Howe has half an hour twice",
    "45 1 * * *",
    "Australia/Lord_Howe",
    "2026-04-04T12:00:00Z",
    ["2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30"],
  ],
  [
    "a schedule for every half hour continues over the repeated half hour",
    "*/30 * * * *",
    "Australia/Lord_Howe",
    "2026-04-04T14:20:00Z",
    ["2026-04-05T01:30+11:00", "2026-04-05T01:30+10:30", "2026-04-05T02:00+10:30"],
  ],
];
for (const [rule, cron, timezone, after, firings] of changes) {
  test(`"${cron}" in ${timezone}: ${rule}`, () => {
    assert.deepEqual(firingsOf(cron, timezone, after, firings.length), firings);
  });
}

test("a year has the right number of firings, each later than the one before", () => {
  const year = (cron: string, timezone: string) => {
    const end = Date.parse("2027-01-01T00:00:00Z");
    const firings = new Firings(cron, timezone)
      .next(Date.parse("2025-12-31T23:59:59Z"), 8_800)
      .filter((instant) => instant < end);
    assert.ok(firings.every((instant, n) => n === 0 || instant > (firings[n - 1] as number)));
    return firings.length;
  };
  for (const timezone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]) {
    assert.equal(year("30 2 * * *", timezone), 365);
    assert.equal(year("7 * * * *", timezone), 8760);
  }
});

test("elapsed firings are counted, the first and the last included", () => {
  const daily = new Firings("0 6 * * *", "UTC");
  const first = Date.parse("2026-03-01T06:00:00Z");
  assert.deepEqual(daily.elapsed(first, first), {
    count: 1,
    more: false,
    last: first,
    beforeLast: undefined,
  });
  assert.deepEqual(daily.elapsed(first, Date.parse("2026-03-04T05:59:59Z")), {
    count: 3,
    more: false,
    last: Date.parse("2026-03-03T06:00:00Z"),
    beforeLast: Date.parse("2026-03-02T06:00:00Z"),
  });
});

test("counting stops at a limit, and the last firing is still the last", () => {
  const now = Date.parse("2026-03-31T12:00:00.500Z");
  const elapsed = new Firings("* * * * * *", "UTC").elapsed(Date.parse("2026-03-01T00:00:00Z"), now);
  assert.deepEqual(elapsed, { count: 10_000, more: true, last: now - 500, beforeLast: now - 1500 });
});

test("a day that does not exist has no firing", () => {
  assert.equal(new Firings("0 0 30 2 *", "Europe/Berlin").after(Date.parse("2026-01-01")), undefined);
});

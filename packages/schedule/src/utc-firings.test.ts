import assert from "node:assert/strict";
import { test } from "node:test";
import { UtcFirings } from "./utc-firings.ts";

/** From a calendar: the next three firings after 2027-02-10T00:00:00Z, a Wednesday. */
const fromCalendar = `
0 6 * * *        | 2027-02-10T06:00:00 2027-02-11T06:00:00 2027-02-12T06:00:00
0 0 * * 0        | 2027-02-14T00:00:00 2027-02-21T00:00:00 2027-02-28T00:00:00
0 0 * * 7        | 2027-02-14T00:00:00 2027-02-21T00:00:00 2027-02-28T00:00:00
0 0 * * MON-FRI  | 2027-02-11T00:00:00 2027-02-12T00:00:00 2027-02-15T00:00:00
0 0 13 * FRI     | 2027-02-12T00:00:00 2027-02-13T00:00:00 2027-02-19T00:00:00
45/10 * * * *    | 2027-02-10T00:45:00 2027-02-10T00:55:00 2027-02-10T01:45:00
30 0 0 * * *     | 2027-02-10T00:00:30 2027-02-11T00:00:30 2027-02-12T00:00:30
0 0 1,31 * *     | 2027-03-01T00:00:00 2027-03-31T00:00:00 2027-04-01T00:00:00
0 0 */10 * *     | 2027-02-11T00:00:00 2027-02-21T00:00:00 2027-03-01T00:00:00
0 0 2,30,31 * ?  | 2027-03-02T00:00:00 2027-03-30T00:00:00 2027-03-31T00:00:00
0 0 29 2 *       | 2028-02-29T00:00:00 2032-02-29T00:00:00 2036-02-29T00:00:00
`;
for (const line of fromCalendar.trim().split("\n")) {
  const [cron = "", firings] = line.split("|").map((side) => side.trim());
  test(`"${cron}" fires as Unix cron does`, () => {
    const utc = new UtcFirings(cron);
    const first = utc.after(Date.parse("2027-02-10T00:00:00Z"));
    const instants = [first, utc.after(first), utc.after(utc.after(first))];
    assert.equal(instants.map((instant) => new Date(instant).toISOString().slice(0, 19)).join(" "), firings);
  });
}

test("repeated calls return the same answer, and a day that does not exist is infinitely far", () => {
  const utc = new UtcFirings("0 0 1 * *");
  const instants = ["2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z", "2026-01-31T00:00:00Z"].map(Date.parse);
  assert.deepEqual(
    instants.map((instant) => utc.after(instant)),
    ["2026-02-01", "2026-03-01", "2026-02-01"].map(Date.parse),
  );
  assert.equal(new UtcFirings("0 0 30 2 *").after(Date.parse("2026-01-01")), Number.POSITIVE_INFINITY);
});

test("a known firing is the answer for later instants before it, and for no others", () => {
  const utc = new UtcFirings("0 6 * * *");
  const [midnight = 0, five = 0, six = 0, seven = 0, tomorrow = 0] = [
    "2026-01-01T00:00:00Z",
    "2026-01-01T05:00:00Z",
    "2026-01-01T06:00:00Z",
    "2026-01-01T07:00:00Z",
    "2026-01-02T06:00:00Z",
  ].map(Date.parse);
  assert.equal(utc.after(midnight), six);
  assert.equal(utc.after(five, midnight), six);
  assert.equal(utc.after(six, midnight), tomorrow);
  assert.equal(utc.after(seven, midnight), tomorrow);
});

test("an expression without five or six fields is rejected", () => {
  assert.throws(() => new UtcFirings("0 6 * *"), /parts/);
  assert.throws(() => new UtcFirings("0 0 6 * * * 2030"), /parts/);
});

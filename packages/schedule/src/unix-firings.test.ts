import assert from "node:assert/strict";
import { test } from "node:test";
import { UnixFirings } from "./unix-firings.ts";

/** By the calendar: the next three firings after 2027-02-10T00:00:00Z, a Wednesday. */
const byTheCalendar = `
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
for (const line of byTheCalendar.trim().split("\n")) {
  const [cron = "", firings] = line.split("|").map((side) => side.trim());
  test(`"${cron}" is read as Unix cron`, () => {
    const unix = new UnixFirings(cron);
    const first = unix.after(Date.parse("2027-02-10T00:00:00Z"));
    const instants = [first, unix.after(first), unix.after(unix.after(first))];
    assert.equal(instants.map((instant) => new Date(instant).toISOString().slice(0, 19)).join(" "), firings);
  });
}

test("an answer stays the same, and a day that never comes is infinitely far", () => {
  const unix = new UnixFirings("0 0 1 * *");
  const instants = ["2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z", "2026-01-31T00:00:00Z"].map(Date.parse);
  assert.deepEqual(
    instants.map((instant) => unix.after(instant)),
    ["2026-02-01", "2026-03-01", "2026-02-01"].map(Date.parse),
  );
  assert.equal(new UnixFirings("0 0 30 2 *").after(Date.parse("2026-01-01")), Number.POSITIVE_INFINITY);
});

test("a known firing answers for later instants before it, and for no others", () => {
  const unix = new UnixFirings("0 6 * * *");
  const [midnight = 0, five = 0, six = 0, seven = 0, tomorrow = 0] = [
    "2026-01-01T00:00:00Z",
    "2026-01-01T05:00:00Z",
    "2026-01-01T06:00:00Z",
    "2026-01-01T07:00:00Z",
    "2026-01-02T06:00:00Z",
  ].map(Date.parse);
  assert.equal(unix.after(midnight), six);
  assert.equal(unix.after(five, midnight), six);
  assert.equal(unix.after(six, midnight), tomorrow);
  assert.equal(unix.after(seven, midnight), tomorrow);
});

test("what is no cron expression of five or six fields is refused", () => {
  assert.throws(() => new UnixFirings("0 6 * *"));
  assert.throws(() => new UnixFirings("0 0 6 * * * 2030"));
});

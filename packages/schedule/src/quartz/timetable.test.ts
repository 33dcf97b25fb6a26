import assert from "node:assert/strict";
import { test } from "node:test";
import { firingsBetween, parseQuartz } from "./timetable.ts";

/** The firings after `from` and up to `until`, at most `count`, with the wall clock in UTC. */
function quartzFirings(
  expression: string,
  from: Date,
  count: number,
  until: Date,
): { firings: Date[] } | { problem: string } {
  const read = parseQuartz(expression);
  if ("problem" in read) return read;
  const instants = firingsBetween(read.timetable, from.getTime(), until.getTime()).take(count);
  return { firings: [...instants.map((instant) => new Date(instant))] };
}

const from = new Date("2028-02-27T22:30:00Z");
const until = new Date("2099-12-31T23:59:59Z");

/** The next four firings after `from`, in UTC, as Quartz 2.3.2 fires. */
const asQuartzFires = `
0 0 6 * * ?                 | 2028-02-28T06:00:00 2028-02-29T06:00:00 2028-03-01T06:00:00 2028-03-02T06:00:00
0 30 9 ? * MON-FRI          | 2028-02-28T09:30:00 2028-02-29T09:30:00 2028-03-01T09:30:00 2028-03-02T09:30:00
0 */5 * * * ?               | 2028-02-27T22:35:00 2028-02-27T22:40:00 2028-02-27T22:45:00 2028-02-27T22:50:00
* * * * * ?                 | 2028-02-27T22:30:01 2028-02-27T22:30:02 2028-02-27T22:30:03 2028-02-27T22:30:04
*/20 * * * * ?              | 2028-02-27T22:30:20 2028-02-27T22:30:40 2028-02-27T22:31:00 2028-02-27T22:31:20
15 30 10 ? * MON            | 2028-02-28T10:30:15 2028-03-06T10:30:15 2028-03-13T10:30:15 2028-03-20T10:30:15
0 0,30 8-18 * * ?           | 2028-02-28T08:00:00 2028-02-28T08:30:00 2028-02-28T09:00:00 2028-02-28T09:30:00
0 5/10 * * * ?              | 2028-02-27T22:35:00 2028-02-27T22:45:00 2028-02-27T22:55:00 2028-02-27T23:05:00
0 1-5/2,7 * * * ?           | 2028-02-27T23:01:00 2028-02-27T23:03:00 2028-02-27T23:05:00 2028-02-27T23:07:00
0 10-20/60 * * * ?          | 2028-02-27T23:10:00 2028-02-28T00:10:00 2028-02-28T01:10:00 2028-02-28T02:10:00
0 5,*/20 * * * ?            | 2028-02-27T22:40:00 2028-02-27T23:00:00 2028-02-27T23:05:00 2028-02-27T23:20:00
0 50-10/7 * * * ?           | 2028-02-27T22:50:00 2028-02-27T22:57:00 2028-02-27T23:04:00 2028-02-27T23:50:00
0 0 22-4 * * ?              | 2028-02-27T23:00:00 2028-02-28T00:00:00 2028-02-28T01:00:00 2028-02-28T02:00:00
0 0 22-4/3 * * ?            | 2028-02-28T01:00:00 2028-02-28T04:00:00 2028-02-28T22:00:00 2028-02-29T01:00:00
0 */59 * * * ?              | 2028-02-27T22:59:00 2028-02-27T23:00:00 2028-02-27T23:59:00 2028-02-28T00:00:00
0 0 */23 * * ?              | 2028-02-27T23:00:00 2028-02-28T00:00:00 2028-02-28T23:00:00 2028-02-29T00:00:00
0 0 0 1 * ?                 | 2028-03-01T00:00:00 2028-04-01T00:00:00 2028-05-01T00:00:00 2028-06-01T00:00:00
0 0 0 31 * ?                | 2028-03-31T00:00:00 2028-05-31T00:00:00 2028-07-31T00:00:00 2028-08-31T00:00:00
0 0 0 1,31 * ?              | 2028-03-01T00:00:00 2028-03-31T00:00:00 2028-04-01T00:00:00 2028-05-01T00:00:00
0 0 0 */10 * ?              | 2028-03-01T00:00:00 2028-03-11T00:00:00 2028-03-21T00:00:00 2028-03-31T00:00:00
0 0 0 28-2 * ?              | 2028-02-28T00:00:00 2028-02-29T00:00:00 2028-03-01T00:00:00 2028-03-02T00:00:00
0 0 0 29 2 ?                | 2028-02-29T00:00:00 2032-02-29T00:00:00 2036-02-29T00:00:00 2040-02-29T00:00:00
0 0 0 1-5/40 * ?            | 2028-03-01T00:00:00 2028-04-01T00:00:00 2028-05-01T00:00:00 2028-06-01T00:00:00
0 0 0 1 JAN ?               | 2029-01-01T00:00:00 2030-01-01T00:00:00 2031-01-01T00:00:00 2032-01-01T00:00:00
0 0 0 1 1/3 ?               | 2028-04-01T00:00:00 2028-07-01T00:00:00 2028-10-01T00:00:00 2029-01-01T00:00:00
0 0 0 1 2-11/3 ?            | 2028-05-01T00:00:00 2028-08-01T00:00:00 2028-11-01T00:00:00 2029-02-01T00:00:00
0 0 0 1 11-2 ?              | 2028-11-01T00:00:00 2028-12-01T00:00:00 2029-01-01T00:00:00 2029-02-01T00:00:00
0 0 0 1 JAN,3-6/2 ?         | 2028-03-01T00:00:00 2028-05-01T00:00:00 2029-01-01T00:00:00 2029-03-01T00:00:00
0 0 6 1 JAN-JUN/2 ?         | 2028-03-01T06:00:00 2028-04-01T06:00:00 2028-05-01T06:00:00 2028-06-01T06:00:00
0 0 6 1 JAN/2 ?             | 2029-01-01T06:00:00 2030-01-01T06:00:00 2031-01-01T06:00:00 2032-01-01T06:00:00
0 0 0 ? * SUN               | 2028-03-05T00:00:00 2028-03-12T00:00:00 2028-03-19T00:00:00 2028-03-26T00:00:00
0 0 0 ? * 1                 | 2028-03-05T00:00:00 2028-03-12T00:00:00 2028-03-19T00:00:00 2028-03-26T00:00:00
0 0 0 ? * 7                 | 2028-03-04T00:00:00 2028-03-11T00:00:00 2028-03-18T00:00:00 2028-03-25T00:00:00
0 0 0 ? * mon               | 2028-02-28T00:00:00 2028-03-06T00:00:00 2028-03-13T00:00:00 2028-03-20T00:00:00
0 0 0 ? * MON,WED-FRI       | 2028-02-28T00:00:00 2028-03-01T00:00:00 2028-03-02T00:00:00 2028-03-03T00:00:00
0 0 0 ? * FRI-SUN           | 2028-03-03T00:00:00 2028-03-04T00:00:00 2028-03-05T00:00:00 2028-03-10T00:00:00
0 0 0 ? * SUN-SUN           | 2028-03-05T00:00:00 2028-03-12T00:00:00 2028-03-19T00:00:00 2028-03-26T00:00:00
0 0 6 ? * MON-FRI/2         | 2028-02-28T06:00:00 2028-02-29T06:00:00 2028-03-01T06:00:00 2028-03-02T06:00:00
0 0 6 ? * MON/2             | 2028-02-28T06:00:00 2028-03-06T06:00:00 2028-03-13T06:00:00 2028-03-20T06:00:00
0 0 6 ? * 2-6/2             | 2028-02-28T06:00:00 2028-03-01T06:00:00 2028-03-03T06:00:00 2028-03-06T06:00:00
0 0 0 ? * */2               | 2028-02-29T00:00:00 2028-03-02T00:00:00 2028-03-04T00:00:00 2028-03-05T00:00:00
0 0 0 ? * 3/2               | 2028-02-29T00:00:00 2028-03-02T00:00:00 2028-03-04T00:00:00 2028-03-07T00:00:00
0 0 0 ? * 6-2/2             | 2028-03-03T00:00:00 2028-03-05T00:00:00 2028-03-10T00:00:00 2028-03-12T00:00:00
0 0 0 ? 3 MON,*             | 2028-03-01T00:00:00 2028-03-02T00:00:00 2028-03-03T00:00:00 2028-03-04T00:00:00
0 0 0 *,1 * ?               | 2028-02-28T00:00:00 2028-02-29T00:00:00 2028-03-01T00:00:00 2028-03-02T00:00:00
0 0 12 1 1 ? 2030           | 2030-01-01T12:00:00
0 0 12 ? 2 SUN 2028-2031/3  | 2031-02-02T12:00:00 2031-02-09T12:00:00 2031-02-16T12:00:00 2031-02-23T12:00:00
0 0 12 25 12 ? 2096-2099    | 2096-12-25T12:00:00 2097-12-25T12:00:00 2098-12-25T12:00:00 2099-12-25T12:00:00
0 0 0 30 2 ?                |
`;

for (const line of asQuartzFires.trim().split("\n")) {
  const [expression = "", firings = ""] = line.split("|").map((side) => side.trim());
  test(`"${expression}" fires as in Quartz`, () => {
    const answer = quartzFirings(expression, from, 4, until);
    assert.ok("firings" in answer, JSON.stringify(answer));
    assert.equal(answer.firings.map((firing) => firing.toISOString().slice(0, 19)).join(" "), firings);
  });
}

/** Quartz 2.3.2 rejects these too. */
const refused: [expression: string, why: RegExp][] = [
  ["0 0 0 * *", /has the wrong number of fields: expected six, seconds first, or seven with a year/],
  ["0 0 0 * * *", /must have \? in exactly one of day-of-month and day-of-week/],
  ["0 0 0 ? * ?", /must have \? in exactly one/],
  ["0 0 0 1 * MON", /must have \? in exactly one/],
  ["0 60 * * * ?", /"60" in the minute field is out of range: expected 0 to 59/],
  ["0 0-70 * * * ?", /"0-70" in the minute field is out of range/],
  ["0 0 24 * * ?", /"24" in the hour field is out of range/],
  ["0 0 0 32 * ?", /"32" in the day-of-month field is out of range/],
  ["0 0 0 0 * ?", /"0" in the day-of-month field is out of range: expected 1 to 31/],
  ["0 0 0 1 13 ?", /"13" in the month field is out of range/],
  ["0 0 0 1 FOO ?", /"FOO" in the month field is not a valid name/],
  ["0 0 0 ? * 0", /"0" in the day-of-week field is out of range: expected 1 to 7/],
  ["0 0 0 ? * 8", /"8" in the day-of-week field is out of range/],
  ["0 0 6 ? * MON-6", /"MON-6" in the day-of-week field cannot be parsed/],
  ["0 0 6 ? * 2-FRI", /"2-FRI" in the day-of-week field cannot be parsed/],
  ["0 */60 * * * ?", /"\*\/60" in the minute field has a step of 60: expected 59 at most/],
  ["0 0 */24 * * ?", /"\*\/24" in the hour field has a step of 24: expected 23 at most/],
  ["0 0 0 */32 * ?", /has a step of 32: expected 31 at most/],
  ["0 0 0 1/40 * ?", /"1\/40" in the day-of-month field has a step of 40/],
  ["0 0 0 ? 1/13 MON", /has a step of 13: expected 12 at most/],
  ["0 0 0 ? * 1/8", /has a step of 8: expected 7 at most/],
  ["0 0 0 * * ? 2030-2020", /"2030-2020" in the year field runs backwards/],
  ["0 5- * * * ?", /"5-" in the minute field cannot be parsed/],
  ["a * * * * ?", /"a" in the second field cannot be parsed/],
];

/** Quartz 2.3.2 accepts these, some by accident; the conversion never writes them. */
const stricter: [expression: string, why: RegExp][] = [
  ["0 0 0 L * ?", /"L" in the day-of-month field cannot be parsed/],
  ["0 0 0 15W * ?", /"15W" in the day-of-month field cannot be parsed/],
  ["0 0 0 ? * 6#3", /"6#3" in the day-of-week field cannot be parsed/],
  ["0 0 0 ?,1 * MON", /must have \? in exactly one/],
  ["0 0 0 ? * MONDAY", /"MONDAY" in the day-of-week field cannot be parsed/],
  ["0 5x * * * ?", /"5x" in the minute field cannot be parsed/],
  ["0 1-2-3 * * * ?", /"1-2-3" in the minute field cannot be parsed/],
  ["0 5/0 * * * ?", /"5\/0" in the minute field has a step of 0/],
  ["0 0 0 1 1 ? 1969", /"1969" in the year field is out of range: expected 1970 to 2099/],
  ["0 0 0 * * ? * *", /has the wrong number of fields/],
];
for (const [expression, why] of [...refused, ...stricter]) {
  test(`"${expression}" is rejected: ${why.source}`, () => {
    const answer = quartzFirings(expression, from, 1, until);
    assert.match("problem" in answer ? answer.problem : "", why);
  });
}

test("a firing at the start is excluded, one at the end is included", () => {
  const firings = quartzFirings(
    "0 0 6 * * ?",
    new Date("2026-01-01T06:00:00Z"),
    9,
    new Date("2026-01-03T06:00:00Z"),
  );
  assert.deepEqual(firings, {
    firings: [new Date("2026-01-02T06:00:00Z"), new Date("2026-01-03T06:00:00Z")],
  });
});

test("a start between two seconds is followed by the next second", () => {
  const answer = quartzFirings("* * * * * ?", new Date("2026-12-31T23:59:58.500Z"), 2, until);
  assert.deepEqual(answer, { firings: [new Date("2026-12-31T23:59:59Z"), new Date("2027-01-01T00:00:00Z")] });
});

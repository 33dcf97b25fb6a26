import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { arbitraryCron } from "../testing/arbitrary-cron.ts";
import { toQuartz } from "./conversion.ts";
import { quartzMismatch } from "./equivalence.ts";
import { parseQuartz } from "./timetable.ts";

const compare = (cron: string, quartz: string) => quartzMismatch({ cron, quartz, timezone: "UTC" });

test("every conversion fires when the cron expression does", () => {
  let compared = 0;
  fc.assert(
    fc.property(arbitraryCron, (cron) => {
      const answer = toQuartz(cron);
      if ("problem" in answer) return;
      assert.equal(compare(cron, answer.quartz), undefined);
      compared += 1;
    }),
    { numRuns: 600 },
  );
  assert.ok(compared > 60, `only ${compared} were compared`);
});

/** Typical errors of a conversion. */
const mistaken = `
0 6 * * *            | 0 0 7 * * ?
0 6 * * *            | 0 6 0 * * ?
0 6 * * *            | 0 0 6 ? * MON-SAT
0 6 * * *            | 0 0 6 * 1-11 ?
0 6 * * *            | 0 0 6 1-30 * ?
0 6 * * 1-5          | 0 0 6 ? * 1-5
0 6 * * 0            | 0 0 6 ? * 7
0 6 * * 1-5/2        | 0 0 6 ? * MON-FRI/2
0 6 * * 1-7/3        | 0 0 6 ? * MON,THU
0 6 1 JAN-JUN/2 *    | 0 0 6 1 JAN-JUN/2 ?
0 6 * * */2          | 0 0 6 ? * 2/2
0 6 1 * MON          | 0 0 6 1 * ?
0 6 1 * MON          | 0 0 6 ? * MON
0 0 28 2 *           | 0 0 0 29 2 ?
0 0 29 2 *           | 0 0 0 1 3 ?
0 * * * *            | 0 0 * 1-28,30,31 * ?
*/5 * * * *          | 0 */5 * 1-16,18-31 * ?
* * * * *            | 0 0-58 * * * ?
* * * * *            | 0 * 0-22 * * ?
*/15 * 1-7 * *       | 0 */15 0-22 1-7 * ?
* 9-17 * 1-6 *       | 0 * 9-17 1-30 1-6 ?
* * * * *            | 0 * * * 1-11 ?
* * * * *            | 0 * * ? * MON-SAT
* * * * * *          | 0 * * * * ?
* * * * * *          | * * 1-23 * * ?
* * * * * *          | * * * 1-30 * ?
5/10 * * * *         | 0 */10 * * * ?
`;
for (const line of mistaken.trim().split("\n")) {
  const [cron = "", quartz = ""] = line.split("|").map((side) => side.trim());
  test(`"${quartz}" is not "${cron}"`, () => {
    assert.match(
      compare(cron, quartz) ?? "",
      /differ: after 2\d{3}-.*Z the first fires .*, the second .*\.$/,
    );
  });
}

test("a mismatch names the instant", () => {
  assert.equal(
    compare("0 6 * * *", "0 0 6 ? * MON-SAT"),
    'The cron expression "0 6 * * *" and its Quartz expression "0 0 6 ? * MON-SAT" differ: ' +
      "after 2026-01-03T06:00:00Z the first fires at 2026-01-04T06:00:00Z, the second at 2026-01-05T06:00:00Z.",
  );
  assert.match(
    compare("0 0 30 2 *", "0 0 0 29 2 ?") ?? "",
    /the first fires no more, the second at 2028-02-29/,
  );
});

test("an expression that cannot be parsed or never fires is a mismatch", () => {
  assert.match(compare("0 6 * * *", "0 0 6 * * *") ?? "", /must have \? in exactly one/);
  assert.match(compare("0 6 * *", "0 0 6 * * ?") ?? "", /"0 6 \* \*" could not be checked: /);
  assert.match(compare("0 0 6 * * * 2030", "0 0 6 * * ?") ?? "", /could not be checked: /);
  assert.match(
    compare("0 6 * * *", "0 0 6 * * ? 2026-2099") ?? "",
    /has a year field, which a cron expression cannot have/,
  );
  assert.match(compare("0 0 30 2 *", "0 0 0 30 2 ?") ?? "", /never fires before the year 2100/);
});

test("any field with a different meaning is found", () => {
  const others = [
    ["0", "*", "30", "1-59"],
    ["0", "*", "30", "0-58", "59"],
    ["0", "*", "6", "0-22", "1-23", "*/2"],
    ["*", "1", "1-30", "2-31", "31", "*/2"],
    ["*", "1", "1-11", "2-12", "*/2", "2"],
    ["SUN", "MON-FRI", "MON-SAT", "2-6/2", "1-5"],
  ];
  const usual = [
    "0 6 * * *",
    "30 9 * * 1-5",
    "*/5 * * * *",
    "* * * * * *",
    "0 0 1 1 *",
    "15 3 1,15 * *",
    "0 */4 * * 0",
  ];
  let found = 0;
  for (const cron of usual) {
    const answer = toQuartz(cron);
    assert.ok("quartz" in answer);
    for (const [index, texts] of others.entries()) {
      for (const text of texts) {
        const fields = answer.quartz.split(" ").with(index, text);
        if (index === 3) fields[5] = "?";
        if (index === 5) fields[3] = "?";
        if (meaning(fields.join(" ")) === meaning(answer.quartz)) continue;
        assert.match(
          compare(cron, fields.join(" ")) ?? `${cron} passed for ${fields.join(" ")}`,
          / differ: /,
        );
        found += 1;
      }
    }
  }
  assert.ok(found > 150, `only ${found} were tried`);
});

function meaning(quartz: string): string {
  const read = parseQuartz(quartz);
  assert.ok("timetable" in read, quartz);
  const { seconds, minutes, hours, daysOfMonth, months, daysOfWeek } = read.timetable;
  const days = [...(daysOfMonth ?? daysOfWeek ?? [])].sort();
  return JSON.stringify([
    seconds,
    minutes,
    hours,
    daysOfMonth ? "of month" : "of week",
    days,
    [...months].sort(),
  ]);
}

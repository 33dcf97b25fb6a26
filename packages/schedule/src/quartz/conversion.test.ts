import assert from "node:assert/strict";
import { test } from "node:test";
import { isCron } from "@lakehelm/contract/schema";
import fc, { anyCharacter, randomCases } from "@lakehelm/testing/random-cases";
import { arbitraryCron } from "../testing/arbitrary-cron.ts";
import { toQuartz } from "./conversion.ts";

const converted = `
0 6 * * *              | 0 0 6 * * ?
30 9 * * 1-5           | 0 30 9 ? * MON-FRI
30 9 * * mon-Fri       | 0 30 9 ? * MON-FRI
30 9 * * MON-5         | 0 30 9 ? * MON-FRI
*/5 * * * *            | 0 */5 * * * ?
* * * * *              | 0 * * * * ?
* * * * * *            | * * * * * ?
15 30 10 * * 1         | 15 30 10 ? * MON
0,30 8-18 * * *        | 0 0,30 8-18 * * ?
05 007 * * *           | 0 5 7 * * ?
5/10 * * * *           | 0 5/10 * * * ?
5/1 * * * *            | 0 5-59 * * * ?
1-5/2,7 * * * *        | 0 1-5/2,7 * * * ?
1-1 * * * *            | 0 1 * * * ?
10-20/11 * * * *       | 0 10 * * * ?
59/10 23/5 * * *       | 0 59 23 * * ?
*/60 */24 * * *        | 0 0 0 * * ?
*/1 * * * *            | 0 * * * * ?
3,*,7 3,3 * * *        | 0 * 3 * * ?
0 0 1 * *              | 0 0 0 1 * ?
0 0 1,15 * ?           | 0 0 0 1,15 * ?
0 0 */2 * *            | 0 0 0 */2 * ?
0 0 10/5 * *           | 0 0 0 10/5 * ?
0 0 29 2 *             | 0 0 0 29 2 ?
0 0 28,30 2 *          | 0 0 0 28,30 2 ?
0 0 30,31 2,3 *        | 0 0 0 30,31 2,3 ?
0 0 ? * ?              | 0 0 0 * * ?
0 0 ? * *              | 0 0 0 * * ?
0 0 ? * TUE            | 0 0 0 ? * TUE
0 0 1 jan *            | 0 0 0 1 JAN ?
0 0 1 JAN-mar,12 *     | 0 0 0 1 JAN-MAR,12 ?
0 0 1 JAN-JUN/2 *      | 0 0 0 1 1-6/2 ?
0 0 1 FEB/3 *          | 0 0 0 1 2/3 ?
0 0 1 JAN-3 *          | 0 0 0 1 1-3 ?
0 0 1 */3 *            | 0 0 0 1 */3 ?
0 0 * * 0              | 0 0 0 ? * SUN
0 0 * * 7              | 0 0 0 ? * SUN
0 0 * * 6              | 0 0 0 ? * SAT
0 0 * * 0,7            | 0 0 0 ? * SUN
0 0 * * 5-7            | 0 0 0 ? * FRI-SUN
0 0 * * 1-5/2          | 0 0 0 ? * MON,WED,FRI
0 0 * * MON-FRI/2      | 0 0 0 ? * MON,WED,FRI
0 0 * * 1-7/3          | 0 0 0 ? * MON,THU,SUN
0 0 * * */2            | 0 0 0 ? * SUN,TUE,THU,SAT
0 0 * * */7            | 0 0 0 ? * SUN
0 0 * * 2/3            | 0 0 0 ? * TUE,FRI
0 0 * * MON,WED,FRI    | 0 0 0 ? * MON,WED,FRI
0 0 * * 0-6            | 0 0 0 * * ?
0 0 * * 0-7            | 0 0 0 * * ?
0 0 * * 1-7            | 0 0 0 * * ?
0 0 * * 1,*            | 0 0 0 * * ?
0 0 1-31 * 0-6         | 0 0 0 * * ?
0 0 1-31 * *           | 0 0 0 1-31 * ?
`;

for (const line of converted.trim().split("\n")) {
  const [cron = "", quartz] = line.split("|").map((side) => side.trim());
  test(`"${cron}" is "${quartz}"`, () => {
    assert.equal(isCron(cron), true);
    assert.deepEqual(toQuartz(cron), { quartz });
  });
}

test("any white space separates fields, as in the API", () => {
  assert.deepEqual(toQuartz("\u00a00\t5 * *\u0085 * \n"), { quartz: "0 0 5 * * ?" });
});

const bothDays = /restricts the day of month .* and the day of week .* fires when either matches/;
const refused: [cron: string, why: RegExp][] = [
  ["0 6 1 * MON", bothDays],
  ["0 6 1 * MON", /two schedules, "0 6 1 \* \*" and "0 6 \* \* MON"\.$/],
  ["30 0 6 1 * MON", /two schedules, "30 0 6 1 \* \*" and "30 0 6 \* \* MON"\.$/],
  // Cron implementations disagree whether these restrict the day of month.
  ["0 6 */2 * MON", bothDays],
  ["0 6 */1 * MON", bothDays],
  ["0 6 1-31 * MON", bothDays],
  ["0 6 15 * 0-6", bothDays],
  [
    "0 0 6 ? * 2",
    /has a "\?", which is Quartz syntax, and a weekday as a number \("2"\).* Use names: SUN, MON/,
  ],
  ["0 6 ? * 1-5", /a weekday as a number/],
  ["0 0 30 2 *", /never fires: the month field \("2"\) leaves no month with a day 30/],
  ["0 0 31 4,JUN *", /never fires: .* day 31/],
  ["*/90 * * * *", /"\*\/90" in the minute field has a step of 90.* expected 1 to 60/],
  ["0 */25 * * *", /the hour field has a step of 25/],
  ["0 0 * * 1-5/8", /the day of week field has a step of 8.* expected 1 to 7/],
  ["0 0 * * 1/2", /is ambiguous, because Sunday is 0 and 7.* "1-6\/2" or "1-7\/2"/],
  ["0 0 * * 7/2", /is ambiguous, because Sunday is 0 and 7/],
  ["0 0 * * SUN-SUN", /ends on SUN.* write "SUN" for Sundays, or "\*" for every day/],
  [`${"0,".repeat(500)}0 * * * *`, /has 1009 characters: expected at most 1000/],
];
for (const [cron, why] of refused) {
  test(`the API accepts ${JSON.stringify(cron).slice(0, 40)}, Quartz cannot express it: ${why.source}`, () => {
    assert.equal(isCron(cron), true);
    const answer = toQuartz(cron);
    assert.match("problem" in answer ? answer.problem : answer.quartz, why);
  });
}

const wrong: [cron: string, why: RegExp][] = [
  ["", /has 0 fields: expected five \(minute, .*\), or six with seconds first/],
  ["@daily", /has 1 field:/],
  ["0 0 6 * * ? 2030", /has 7 fields/],
  ["61 * * * *", /"61" in the minute field .* expected 0 to 59,/],
  ["60 * * * * *", /"60" in the second field/],
  ["* 24 * * *", /"24" in the hour field .* expected 0 to 23/],
  ["* * 0 * *", /"0" in the day of month field .* expected 1 to 31/],
  ["* * * MON *", /"MON" in the month field .* expected 1 to 12 or JAN to DEC/],
  ["* * * * 8", /"8" in the day of week field .* expected 0 to 7 or SUN to SAT/],
  ["* * * * MONDAY", /"MONDAY" in the day of week field/],
  ["* 22-4 * * *", /"22-4" in the hour field runs backwards.* write "22-23,0-4"/],
  ["* * * * SAT-MON", /"SAT-MON" in the day of week field runs backwards.* write "6,0-1"/],
  ["* 22-4/2 * * *", /"22-4\/2" in the hour field runs backwards: expected the lower value first\.$/],
  ["* * * * FRI-SUN", /"FRI-SUN" .* ends on SUN.* write "5-7"/],
  ["*/0 * * * *", /"\*\/0" in the minute field has a step of 0/],
  ["? * * * *", /"\?" in the minute field cannot be parsed/],
  ["0 0 L * *", /"L" in the day of month field/],
  ["0 0 * * 5#2", /"5#2" in the day of week field cannot be parsed/],
  ["1, * * * *", /"" in the minute field cannot be parsed/],
  ["61 25 * * FRI", /"61" in the minute field .*"25" in the hour field/],
];
for (const [cron, why] of wrong) {
  test(`${JSON.stringify(cron)} is rejected: ${why.source}`, () => {
    assert.equal(isCron(cron), false);
    const answer = toQuartz(cron);
    assert.match("problem" in answer ? answer.problem : answer.quartz, why);
  });
}

test("only expressions that the API accepts are converted, and most of them are", () => {
  const counts = { converted: 0, refused: 0 };
  fc.assert(
    fc.property(arbitraryCron, (cron) => {
      const answer = toQuartz(cron);
      if ("problem" in answer) {
        assert.match(answer.problem, /^The cron expression ".*\.$/);
        if (isCron(cron)) counts.refused += 1;
        return;
      }
      assert.ok(isCron(cron), `${cron} became ${answer.quartz}`);
      assert.match(
        answer.quartz,
        /^[\w*,/-]+ [\w*,/-]+ [\w*,/-]+ (\? [\w*,/-]+ [A-Z,-]+|[\w*,/-]+ [\w*,/-]+ \?)$/,
      );
      counts.converted += 1;
    }),
    { numRuns: randomCases(2_000), seed: 9 },
  );
  assert.ok(counts.converted > 2 * counts.refused, JSON.stringify(counts));
});

test("any other text gets an error sentence", () => {
  const odd = fc.string({ unit: fc.constantFrom(..."0159*/-,? ?LW#@SUNmon\\\"'\n\u0000\u2028é") });
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: anyCharacter })), (text) => {
      const answer = toQuartz(text);
      assert.equal("quartz" in answer && !isCron(text), false);
    }),
    { numRuns: randomCases(2_000) },
  );
});

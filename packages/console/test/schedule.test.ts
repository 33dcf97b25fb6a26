import assert from "node:assert/strict";
import { test } from "node:test";
import { cronText, cronTiming } from "../src/format/schedule.ts";

test("a cron expression in words", () => {
  for (const [cron, text] of [
    ["* * * * *", "every minute"],
    ["*/15 * * * *", "every 15 minutes"],
    ["0 * * * *", "every hour"],
    ["5 * * * *", "every hour, 5 min past"],
    ["0 */6 * * *", "every 6 hours"],
    ["0 6 * * *", "every day at 06:00"],
    ["0 0 6 * * ?", "every day at 06:00"],
    ["30 6,12,18 * * *", "every day at 06:30, 12:30 and 18:30"],
    ["30 18 * * 1-5", "every weekday at 18:30"],
    ["0 7 * * mon,4", "every Monday and Thursday at 07:00"],
    ["0 7 * * 7", "every Sunday at 07:00"],
    ["*/30 * * * 1-5", "every 30 minutes, every weekday"],
    ["0 4 1 * *", "on day 1 of each month at 04:00"],
    ["0 4 24 12 *", "every 24 December at 04:00"],
  ] as const)
    assert.equal(cronText(cron), text);
});

test("an expression without short words stays as it is", () => {
  for (const cron of [
    "*/7 * * * *",
    "0 6 1-7 * 1",
    "0 9-17 * * *",
    "0 6 1 * 1",
    "0 6 * 3 *",
    "30 0 6 * * *",
    "61 6 * * *",
    "0 6 31 13 *",
    "0 6 * *",
    "0 6 * * * * *",
    "x",
    "",
  ])
    assert.equal(cronText(cron), undefined, cron);
  assert.equal(cronTiming("*/7 * * * *", undefined).text, "*/7 * * * *");
});

test("the time zone is said where it matters", () => {
  assert.deepEqual(cronTiming("0 6 * * *", "Europe/Berlin"), {
    text: "every day at 06:00 Europe/Berlin",
    title: "0 6 * * *, Europe/Berlin",
  });
  assert.equal(cronTiming("*/15 * * * *", "UTC").text, "every 15 minutes");
  assert.deepEqual(cronTiming("0 6 * * *", undefined), {
    text: "every day at 06:00",
    title: "0 6 * * *, in the time zone of the environment",
  });
});

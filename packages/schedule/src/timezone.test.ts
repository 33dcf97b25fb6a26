import assert from "node:assert/strict";
import { test } from "node:test";
import { timezoneProblem } from "./timezone.ts";

for (const id of [
  "UTC",
  "GMT",
  "Europe/Berlin",
  "America/New_York",
  "US/Eastern",
  "Asia/Calcutta",
  "Asia/Kolkata",
  "Europe/Kyiv",
  "America/Argentina/Buenos_Aires",
  "America/Port-au-Prince",
  "Etc/GMT+2",
  "CET",
]) {
  test(`${id} is a time zone`, () => assert.equal(timezoneProblem(id), undefined));
}

const wrong: [id: string, why: RegExp][] = [
  ["utc", /^The time zone "utc" is spelled "UTC": /],
  ["europe/berlin", /"europe\/berlin" is spelled "Europe\/Berlin"/],
  ["US/EASTERN", /is spelled "US\/Eastern"/],
  ["europe/kyiv", /is spelled "Europe\/Kyiv"/],
  [
    "+02:00",
    /"\+02:00" is an offset, which has no daylight saving time: expected .*"Europe\/Berlin", or "UTC"\.$/,
  ],
  ["-05", /is an offset/],
  ["+0530", /is an offset/],
  ["", /^Unknown time zone "": expected/],
  ["Z", /^Unknown time zone/],
  ["GMT+2", /^Unknown time zone/],
  ["UTC+01:00", /^Unknown time zone/],
  ["PST", /^Unknown time zone/],
  ["Europe/Berlín", /^Unknown time zone/],
  ["Europe/Berlin ", /Unknown time zone "Europe\/Berlin "/],
  ["Europe / Berlin", /^Unknown time zone/],
  ["Mars/Olympus", /^Unknown time zone/],
  ["2026-01-01[Europe/Berlin]", /^Unknown time zone/],
  ["UTC\n", /Unknown time zone "UTC\\n"/],
];
for (const [id, why] of wrong) {
  test(`${JSON.stringify(id)} is rejected: ${why.source}`, () =>
    assert.match(timezoneProblem(id) ?? "", why));
}

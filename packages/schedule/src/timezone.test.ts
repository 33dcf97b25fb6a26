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
  ["+02:00", /"\+02:00" is an offset, which knows no summer time: expected .*"Europe\/Berlin", or "UTC"\.$/],
  ["-05", /is an offset/],
  ["+0530", /is an offset/],
  ["", /^The time zone "" is not known: expected/],
  ["Z", /is not known/],
  ["GMT+2", /is not known/],
  ["UTC+01:00", /is not known/],
  ["PST", /is not known/],
  ["Europe/Berlín", /is not known/],
  ["Europe/Berlin ", /"Europe\/Berlin " is not known/],
  ["Europe / Berlin", /is not known/],
  ["Mars/Olympus", /is not known/],
  ["2026-01-01[Europe/Berlin]", /is not known/],
  ["UTC\n", /"UTC\\n" is not known/],
];
for (const [id, why] of wrong) {
  test(`${JSON.stringify(id)} is refused: ${why.source}`, () => assert.match(timezoneProblem(id) ?? "", why));
}

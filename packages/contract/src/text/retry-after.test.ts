import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./retry-after.ts";

test("Retry-After has seconds or a date; anything else is ignored", () => {
  const now = Date.parse("2026-03-01T12:00:01.700Z");
  const cases: [string | null | undefined, number | undefined][] = [
    ["30", 30_000],
    [" 0 ", 0],
    ["Sun, 01 Mar 2026 12:01:01 GMT", 59_300],
    ["Sun, 01 Mar 2020 12:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ];
  for (const [header, ms] of cases) assert.equal(retryAfterMs(header, now), ms, String(header));
});

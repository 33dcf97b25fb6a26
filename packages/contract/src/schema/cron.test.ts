import assert from "node:assert/strict";
import { test } from "node:test";
import { isCron } from "./scalars.ts";

const valid = [
  "0 5 * * *",
  "0,30 8-18 * * *",
  "15 30 10 * * 1",
  "*/5 * * * *",
  "0 0 1 JAN sun",
  "0 0 ? * MON-FRI",
];
valid.push(
  "0 0 * * ?",
  "0 0 * * 7",
  "59 59 23 31 12 7",
  "5/10 * * * *",
  "1-5/2,7 * * * *",
  " 0\t5 * *  * \n",
);
valid.push(
  "05 * * * *",
  "* * * jan-Mar,12 *",
  "* * * * 5-7",
  "* * * * MON-6",
  "*/100 * * * *",
  "1-1 * * * *",
);
for (const expression of valid) {
  test(`${JSON.stringify(expression)} is a cron expression`, () => assert.equal(isCron(expression), true));
}

const invalid = [
  "",
  " ",
  "* * * *",
  "* * * * * * *",
  "61 * * * *",
  "60 * * * * *",
  "* 24 * * *",
  "* * 0 * *",
];
invalid.push(
  "* * 32 * *",
  "* * * 0 *",
  "* * * 13 *",
  "* * * * 8",
  "0;5;*;*;*",
  "5-1 * * * *",
  "* * * * SAT-SUN",
);
invalid.push(
  "*/0 * * * *",
  "*/ * * * *",
  "/5 * * * *",
  "? * * * *",
  "* * * ? *",
  "* * ?,1 * *",
  "* * ?/2 * *",
);
invalid.push(
  "1, * * * *",
  ",1 * * * *",
  "1- * * * *",
  "-1 * * * *",
  "+1 * * * *",
  "1.5 * * * *",
  "1_0 * * * *",
);
invalid.push(
  "JAN * * * *",
  "* * * MON *",
  "* * * * JAN",
  "* * * JANUARY *",
  "* * L * *",
  "* * * * 1#2",
  "@daily",
);
invalid.push("*-5 * * * *", "1-2-3 * * * *", "1/2/3 * * * *", "٣ * * * *", "every day at five oh clock");
for (const expression of invalid) {
  test(`${JSON.stringify(expression)} is not a cron expression`, () =>
    assert.equal(isCron(expression), false));
}

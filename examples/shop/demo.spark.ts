/** The shop on a real Spark Connect server, with the same definitions and the same result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startConnectServer } from "../../packages/server/spark/connect-server.ts";
import { checkCrm } from "./crm-check.ts";
import { newFolder, runDemo } from "./run-demo.ts";

test("the demo runs unchanged on Spark, and a second one changes nothing", async (t) => {
  const spark = await startConnectServer({ catalogs: ["shop"] });
  t.after(spark.stop);
  const folder = await newFolder(t);
  const cluster = ["--spark", String(spark.configuration.remote), "--token", spark.token];
  const first = await runDemo(t, folder, ...cluster);
  assert.deepEqual([first.code, first.stderr], [0, ""]);
  for (const line of [
    /orders-in +customers: 400 inserted; orders: 2,999 inserted; rejected: 1\n +· the column "amount": twelve is not a DECIMAL/,
    /returns-in +returns: 180 inserted; rejected: 1\n/,
    /sales +shop\.clean\.orders: 2,999 inserted; shop\.clean\.returns: 180 inserted; shop\.clean\.sales_by_day: 84 inserted\n/,
    /customer_value +shop\.marts\.customer_value: 400 inserted/,
    /crm-out +customer_value: 400 inserted\n/,
    /order-desk +How many orders are there\? There are 2,999 orders/,
  ]) {
    assert.match(first.stdout, line);
  }
  const expected = { customers: 400, differences: 0, netRevenue: "291,899.16" };
  assert.deepEqual(checkCrm(folder), expected);
  const second = await runDemo(t, folder, ...cluster);
  assert.deepEqual([second.code, second.stderr], [0, ""]);
  assert.match(second.stdout, /Nothing has changed/);
  assert.deepEqual(checkCrm(folder), expected);
});

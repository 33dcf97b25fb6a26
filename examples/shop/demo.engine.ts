import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { checkCrm } from "./crm-check.ts";
import { newFolder, runDemo } from "./run-demo.ts";
import { createSources, shopPaths } from "./sources.ts";

test("the first demo copies the sources to the CRM, the second changes nothing", async (t) => {
  const folder = await newFolder(t);
  const first = await runDemo(t, folder);
  assert.deepEqual([first.code, first.stderr], [0, ""]);
  for (const line of [
    /project +8 to create, \d+ files to upload in local, 0 unchanged\.\n/,
    /orders-in +customers: 400 inserted; orders: 2,999 inserted; rejected: 1\n +· the column "amount": twelve is not a DECIMAL/,
    /returns-in +returns: 180 inserted; rejected: 1\n +· line 22 of .*returns-2026-02\.csv: /,
    /sales +shop\.clean\.orders: 2,999 inserted; shop\.clean\.returns: 180 inserted; shop\.clean\.sales_by_day: 84 inserted\n/,
    /customer_value +shop\.marts\.customer_value: 400 inserted, 2 unmatched \(in shop\.marts\.customer_value_unmatched\)\n/,
    /crm-out +customer_value: 400 inserted\n/,
    /check +crm\.db matches the sources, row by row: 400 customers/,
    /order-desk +How many orders are there\? There are 2,999 orders/,
    /next runs +orders-in at \d\d:\d\d UTC; returns-in when a file arrives; sales when refresh-sales runs it; customer_value, crm-out when tables change\n/,
  ]) {
    assert.match(first.stdout, line);
  }
  const expected = { customers: 400, differences: 0, netRevenue: "291,899.16" };
  assert.deepEqual(checkCrm(folder), expected);

  const { crm } = shopPaths(folder);
  const written = await readFile(crm);
  const second = await runDemo(t, folder);
  assert.deepEqual([second.code, second.stderr], [0, ""]);
  assert.match(second.stdout, /Nothing has changed/);
  assert.match(second.stdout, /project +Nothing to change in local, 8 unchanged\.\n/);
  assert.doesNotMatch(second.stdout, /\d (inserted|updated|deleted|unmatched)/);
  assert.deepEqual(checkCrm(folder), expected);
  assert.ok((await readFile(crm)).equals(written), "crm.db has changed");

  // The check finds a changed cent, an empty string that became NULL, and a missing row.
  using database = new DatabaseSync(crm);
  database.exec(`
    UPDATE customer_value SET revenue = revenue + 0.01 WHERE customer_id = 3;
    UPDATE customer_value SET note = NULL WHERE customer_id = 2;
    DELETE FROM customer_value WHERE customer_id = 4`);
  assert.equal(checkCrm(folder).differences, 5);
});

test("the sources are the same in every folder and at any time", async (t) => {
  const [one, other] = [await newFolder(t), await newFolder(t)];
  const filesOf = async (folder: string) => {
    await createSources(folder);
    const { shop, returns } = shopPaths(folder);
    const names = (await readdir(returns)).sort();
    return Promise.all([shop, ...names.map((name) => join(returns, name))].map((path) => readFile(path)));
  };
  const files = await filesOf(one);
  assert.equal(files.length, 4);
  assert.deepEqual(await filesOf(other), files);
});

test("a failure is reported in one sentence", async (t) => {
  const { code, stderr } = await runDemo(t, await newFolder(t), "--port", "eighty");
  assert.equal(code, 1);
  assert.match(stderr, /^The demo failed\. .*\bPORT must be an integer/);
});

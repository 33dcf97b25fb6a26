import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { checkCrm } from "./check.ts";
import { makeSources, placesIn } from "./sources.ts";

const runner = resolve(import.meta.dirname, "../../run.js");
const program = resolve(import.meta.dirname, "demo.ts");

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-shop-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function demo(t: TestContext, folder: string, ...more: string[]) {
  const child = spawn(process.execPath, [runner, program, "--folder", folder, "--port", "0", ...more]);
  t.after(() => child.kill("SIGKILL"));
  const [out, complaints]: [string[], string[]] = [[], []];
  child.stdout.on("data", (chunk) => out.push(String(chunk)));
  child.stderr.on("data", (chunk) => complaints.push(String(chunk)));
  // All pipes are closed: whatever it started has ended, too.
  const [code] = await once(child, "close");
  return { code, told: out.join(""), complaint: complaints.join("") };
}

test("the first call brings the sources to the CRM, the second changes nothing", async (t) => {
  const folder = await newFolder(t);
  const first = await demo(t, folder);
  assert.deepEqual([first.code, first.complaint], [0, ""]);
  for (const line of [
    /orders-in +customers: 400 new; orders: 2,999 new; rejected: 1\n +· the column "amount": twelve is not a DECIMAL/,
    /returns-in +returns: 180 new; rejected: 1\n +· line 22 of .*returns-2026-02\.csv: /,
    /sales +shop\.clean\.orders: 2,999 new; shop\.clean\.returns: 180 new; shop\.clean\.sales_by_day: 84 new\n/,
    /customer_value +shop\.marts\.customer_value: 400 new, 2 without a match, kept aside\n/,
    /crm-out +customer_value: 400 new\n/,
    /check +crm\.db has what SQL over the sources says/,
    /order-desk +How many orders are there\? There are 2,999 orders/,
    /next +orders-in at \d\d:\d\d UTC; returns-in when a file comes; sales when refresh-sales runs it; customer_value, crm-out when tables change\n/,
  ]) {
    assert.match(first.told, line);
  }
  const expected = { customers: 400, differences: 0, value: "291,899.16" };
  assert.deepEqual(checkCrm(folder), expected);

  const { crm } = placesIn(folder);
  const written = await readFile(crm);
  const second = await demo(t, folder);
  assert.deepEqual([second.code, second.complaint], [0, ""]);
  assert.match(second.told, /Nothing has changed/);
  assert.doesNotMatch(second.told, /\d (new|changed|gone|without a match)/);
  assert.deepEqual(checkCrm(folder), expected);
  assert.ok((await readFile(crm)).equals(written), "crm.db was written to");

  // The check itself would notice: a cent, an empty text that became NULL, a row that is gone.
  using database = new DatabaseSync(crm);
  database.exec(`
    UPDATE customer_value SET revenue = revenue + 0.01 WHERE customer_id = 3;
    UPDATE customer_value SET note = NULL WHERE customer_id = 2;
    DELETE FROM customer_value WHERE customer_id = 4`);
  assert.equal(checkCrm(folder).differences, 5);
});

test("the sources are the same at every place and time", async (t) => {
  const [one, other] = [await newFolder(t), await newFolder(t)];
  const filesOf = async (folder: string) => {
    await makeSources(folder);
    const { shop, returns } = placesIn(folder);
    const names = (await readdir(returns)).sort();
    return Promise.all([shop, ...names.map((name) => join(returns, name))].map((path) => readFile(path)));
  };
  const made = await filesOf(one);
  assert.equal(made.length, 4);
  assert.deepEqual(await filesOf(other), made);
});

test("what does not work out is told in a sentence", async (t) => {
  const { code, complaint } = await demo(t, await newFolder(t), "--port", "eighty");
  assert.equal(code, 1);
  assert.match(complaint, /^The demo did not work out\. Settings: PORT must be a whole number/);
});

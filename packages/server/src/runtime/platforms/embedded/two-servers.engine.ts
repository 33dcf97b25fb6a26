/**
 * Server processes that share a PostgreSQL database: two with the same data folder, of which one is the lease holder,
 * and a third with its own folder, which forwards requests for the data. The lease holder is killed with kill -9.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ApiError, type Client, createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { startProcess, testHome } from "../../../testing/process.ts";
import { embedded } from "../conformance/embedded.ts";
import { ended, openConnector, rows } from "../conformance/test-connector.ts";

const settings = {
  PLATFORM_LEASE_SECONDS: "3",
  PLATFORM_SECRET_KEY: "one key for all servers of this test",
  PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1",
};

test("two servers share a data folder, and a third has its own", async (t) => {
  const shared = await testHome(t, "postgres");
  const elsewhere = { ...shared, dataDir: await mkdtemp(join(tmpdir(), "lakehelm-elsewhere-")) };
  t.after(() => rm(elsewhere.dataDir, { recursive: true, force: true }));
  const holder = await startProcess(t, shared, settings);
  const other = await startProcess(t, shared, settings);
  const third = await startProcess(t, elsewhere, settings);
  await third.logged(
    "the warehouse of this database is in another data folder: requests for it are forwarded to the server that holds that folder",
  );
  const all = [holder, other, third];
  for (const { client } of all) await until(() => answer(client, "SELECT 1 AS one"));

  const shop = await openConnector(t, embedded, () => other.client);
  const ticking = await openConnector(t, embedded, () => third.client, {
    execution_mode: "batch",
    schedule_cron: "* * * * * *",
  });
  shop.put(rows("Ada"));
  ticking.put(rows("Tick"));

  await t.test("requests for the data are forwarded to the lease holder", async () => {
    assert.equal((await shop.runToEnd()).status, "succeeded");
    for (const [at, { client }] of all.entries()) {
      assert.deepEqual(await shop.read(client), rows("Ada"));
      const { tables } = await client.readCatalog();
      assert.ok(tables.some(({ name }) => name === shop.connector.datasets?.[0]?.target_name));
      await client.putFile({ params: { path: `from-${at}` }, body: `${at}` });
    }
    for (const { client } of all) {
      for (const at of all.keys()) {
        assert.equal(
          Buffer.from(await client.getFile({ params: { path: `from-${at}` } })).toString(),
          `${at}`,
        );
      }
    }
  });

  await t.test(
    "when the lease holder is killed during a run, the other server takes over and finishes it",
    async () => {
      shop.put(rows("Ada", "Bob", "Cleo"));
      const hold = shop.hold();
      const run = await shop.run();
      await hold.reached;
      const queued = await third.client.runJob({ params: { job_id: shop.jobId } });
      holder.child.kill("SIGKILL");
      await holder.ended;
      await hold.left;
      hold.release();

      await until(() => answer(other.client, "SELECT 1 AS one"));
      const [first, second] = [await ended(other.client, run), await ended(third.client, queued)];
      assert.deepEqual([first.status, first.attempt, second.status], ["succeeded", 2, "succeeded"]);
      assert.deepEqual(await shop.read(other.client), rows("Ada", "Bob", "Cleo"));
      assert.equal(Number(first.metrics.rows_inserted) + Number(second.metrics.rows_inserted), 2);
      for (const at of all.keys()) {
        const file = await other.client.getFile({ params: { path: `from-${at}` } });
        assert.equal(Buffer.from(file).toString(), `${at}`);
      }
    },
  );

  await t.test("the server with its own folder forwards requests and has no warehouse", async () => {
    await until(() => answer(third.client, "SELECT 1 AS one"));
    assert.deepEqual(await shop.read(third.client), rows("Ada", "Bob", "Cleo"));
    assert.equal(existsSync(join(elsewhere.dataDir, "warehouse")), false);
  });

  await t.test("no slot of a schedule ran twice", async () => {
    // Runs that move nothing have one record together.
    let changes = 0;
    await until(async () => {
      ticking.put(rows(`Tick ${changes++}`));
      return (await ticking.runs()).length > 5;
    }, 100);
    const runs = await ticking.runs();
    const slots = runs.map(({ cause }) => cause.time);
    assert.equal(new Set(slots).size, slots.length);
    assert.ok(runs.some(({ status }) => status === "succeeded"));
    assert.deepEqual(
      runs.filter(({ status }) => status === "failed").map(({ error }) => error),
      [],
    );
  });
});

test("a lease holder that was suspended for longer than its lease releases the data, and the other server finishes its run", async (t) => {
  const shared = await testHome(t, "postgres");
  const holder = await startProcess(t, shared, settings);
  const other = await startProcess(t, shared, settings);
  await until(() => answer(other.client, "SELECT 1 AS one"));
  const shop = await openConnector(t, embedded, () => other.client);
  shop.put(rows("Ada"));
  await shop.runToEnd();
  shop.put(rows("Ada", "Bob"));
  const hold = shop.hold();
  const run = await shop.run();
  await hold.reached;
  holder.child.kill("SIGSTOP");
  // Requests that were forwarded to the suspended server hang with it. Later the other server knows that there is no
  // lease holder.
  const impatient = createClient({ baseUrl: other.url, token: other.token, retries: 0, timeoutMs: 500 });
  const status = () =>
    impatient.runQuery({ body: { sql: "SELECT 1 AS one" } }).then(
      () => 200,
      (error) => (error instanceof ApiError ? error.status : undefined),
    );
  await until(async () => ((await status()) === 503 ? true : undefined));
  holder.child.kill("SIGCONT");
  await hold.left;
  hold.release();

  const again = await ended(other.client, run);
  // The interrupted attempt does not count, unless the holder was suspended for so long that its heartbeat expired.
  const { lines } = await other.client.readRunLog({ params: { run_id: run.id } });
  const hasExpired = lines.some(({ line }) => line.includes("crashed during attempt 1"));
  const attempt = hasExpired ? 2 : 1;
  assert.deepEqual([again.status, again.attempt, again.metrics.rows_inserted], ["succeeded", attempt, 1]);
  for (const { client } of [holder, other]) {
    await until(() => answer(client, "SELECT 1 AS one"));
    assert.deepEqual(await shop.read(client), rows("Ada", "Bob"));
  }
});

/** Undefined while there is no lease holder: the server responds with 503. */
async function answer(client: Client, sql: string): Promise<true | undefined> {
  try {
    await client.runQuery({ body: { sql } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

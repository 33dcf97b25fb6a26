/** Kills a real server while a live connector reads the log of its source, and while the connector is deleted. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { query, startPostgres } from "@lakehelm/testing";
import { someOf } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { startProcess, testHome } from "../../testing/process.ts";

test("a live connector that reads a log loses and repeats nothing if its server is killed; neither does its deletion", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-capture-"));
  const postgres = await startPostgres(join(scratch, "postgres"), { settings: ["wal_level=logical"] });
  t.after(async () => {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  });
  const execute = (sql: string) => query(postgres.url, sql);
  const home = await testHome(t, "sqlite");
  const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" };
  let server = await startProcess(t, home, settings);
  const kill = async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  };
  await execute(
    "CREATE TABLE orders (id int PRIMARY KEY, n int); INSERT INTO orders SELECT i, 0 FROM generate_series(1, 2000) i",
  );
  const { hostname, port, username, password } = new URL(postgres.url);
  const config = {
    host: hostname,
    port: Number(port),
    database: "postgres",
    user: username,
    password,
    capture: "log",
  };
  const { id } = await server.client.createConnector({
    body: {
      name: "shop-live",
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "postgresql", config } },
      execution_mode: "live",
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: "orders" }],
    },
  });
  const sums = "SELECT count(*) AS rows, sum(id) AS ids, sum(n) AS total FROM orders";
  const inWarehouse = () =>
    server.client
      .runQuery({ body: { sql: sums } })
      .then(({ rows }) => rows[0]?.map(Number))
      .catch(() => undefined);
  const inSource = async () => Object.values((await execute(sums)).rows[0] ?? {}).map(Number);
  const same = () =>
    until(
      async () => JSON.stringify(await inWarehouse()) === JSON.stringify(await inSource()),
      100,
      40_000,
    ).catch(async (error) => {
      const { runs } = await server.client.listRuns({});
      assert.fail(JSON.stringify([String(error), await inWarehouse(), await inSource(), runs.slice(0, 3)]));
    });
  await same();

  for (const round of someOf([1, 2], 1)) {
    await execute(
      `INSERT INTO orders SELECT i, 0 FROM generate_series(${round * 100_000}, ${round * 100_000 + 20_000}) i; UPDATE orders SET n = n + 1; DELETE FROM orders WHERE id % 7 = ${round}; UPDATE orders SET id = -id WHERE id % 11 = ${round}`,
    );
    // The server is killed while it reads the log, or a moment before or after.
    await until(async () => {
      const { rows } = await execute("SELECT 1 FROM pg_replication_slots WHERE active");
      const { runs } = await server.client.listRuns({ query: { status: "running" } });
      return rows.length > 0 || runs.length > 0;
    });
    await kill();
    server = await startProcess(t, home, settings);
    await same();
  }

  // A lock prevents logins to the source, so the slot is not yet removed when the server is killed.
  const slots = async () => (await execute("SELECT 1 FROM pg_replication_slots")).rowCount;
  assert.equal(await slots(), 1);
  await server.client.pauseConnector({ params: { connector_id: id } });
  await until(async () => (await server.client.listRuns({ query: { status: "running" } })).runs.length === 0);
  const locker = new pg.Client({ connectionString: postgres.url });
  await locker.connect();
  await locker.query("BEGIN; LOCK TABLE pg_authid IN ACCESS EXCLUSIVE MODE");
  const deleting = server.client.deleteConnector({ params: { connector_id: id } }).catch(() => {});
  await until(async () => (await server.client.listConnectors({})).total === 0);
  await kill();
  await deleting;
  await locker.query("ROLLBACK");
  assert.equal(Number((await locker.query("SELECT 1 FROM pg_replication_slots")).rowCount), 1);
  await locker.end();
  server = await startProcess(t, home, settings);
  await until(async () => (await slots()) === 0, 100);
  assert.equal((await execute("SELECT 1 FROM pg_publication")).rowCount, 0);
});

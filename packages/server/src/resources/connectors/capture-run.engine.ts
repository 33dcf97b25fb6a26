/** A connector that reads the log of a real PostgreSQL, through the API. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { query, startPostgres } from "@lakehelm/testing";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { startTestServer } from "../../testing/server.ts";

test("a connector applies the changes in its source's log, watches its slot and removes it", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-capture-"));
  const postgres = await startPostgres(join(scratch, "postgres"), { settings: ["wal_level=logical"] });
  t.after(async () => {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  });
  const execute = (sql: string) => query(postgres.url, sql);
  await execute(
    "CREATE TABLE orders (id int PRIMARY KEY, note text); INSERT INTO orders VALUES (1, 'a'), (2, 'b')",
  );
  const { client, close, fetch, events } = await startTestServer();
  t.after(close);
  const { hostname, port, username, password } = new URL(postgres.url);
  const config = {
    host: hostname,
    port: Number(port),
    database: "postgres",
    user: username,
    password,
    capture: "log",
    warn_log_mb: 1,
  };
  const { id } = await client.createConnector({
    body: {
      name: "shop-log",
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "postgresql", config } },
      execution_mode: "manual",
      created_by: "ada",
      policy: { attempts: 20, backoff_seconds: 1, max_backoff_seconds: 1 },
      datasets: [{ source_dataset: "orders", target_name: "orders" }],
    },
  });
  const slot = `lakehelm_${id.replaceAll("-", "_")}`;
  const start = (parameters = {}) =>
    client.runJob({ params: { job_id: `connector-${id}` }, body: { parameters } });
  const run = async (parameters = {}) => {
    const { id: runId } = await start(parameters);
    return ended(runId);
  };
  const ended = (runId: string) =>
    until(async () => {
      const found = await client.getRun({ params: { run_id: runId } });
      return found.ended_at ? found : undefined;
    }, 50);
  const inWarehouse = async () =>
    (await client.runQuery({ body: { sql: "SELECT id, note FROM orders ORDER BY id" } })).rows;

  const { ok, findings } = await client.checkConnector({ params: { connector_id: id } });
  assert.ok(ok, JSON.stringify(findings));
  const first = await run();
  assert.deepEqual([first.status, first.metrics.rows_inserted], ["succeeded", 2], first.error ?? "");
  // The definition stays as it was sent; `log_keys` has the keys of the source table.
  const { datasets } = await client.getConnector({ params: { connector_id: id } });
  assert.deepEqual(
    datasets?.map(({ primary_keys, log_keys }) => [primary_keys, log_keys]),
    [[null, ["id"]]],
  );
  await execute(
    "DELETE FROM orders WHERE id = 1; UPDATE orders SET note = 'B'; INSERT INTO orders VALUES (3, 'c')",
  );
  const preview = await client.previewConnector({ params: { connector_id: id } });
  assert.partialDeepStrictEqual(preview, { datasets: [{ insert: 1, update: 1, delete: 1 }] });

  // The source is unavailable when the next run begins.
  await postgres.halt();
  const waiting = await start();
  await until(async () => (await client.getRun({ params: { run_id: waiting.id } })).attempt > 1, 50);
  await postgres.start();
  const second = await ended(waiting.id);
  assert.equal(second.status, "succeeded", second.error ?? "");
  assert.deepEqual(await inWarehouse(), [
    [2, "B"],
    [3, "c"],
  ]);
  const log = second.metrics.log as Record<string, unknown>;
  assert.equal(log.slot, slot);
  assert.ok(Number(log.lag_bytes_before) > 0 && Number(log.retained_bytes) >= 0, JSON.stringify(log));
  const metrics = await (await fetch("/metrics")).text();
  assert.match(metrics, /lakehelm_connector_log_lag_bytes\{job_name="shop-log".*\} \d+/);
  assert.match(metrics, /lakehelm_connector_log_retained_bytes\{job_name="shop-log".*\} \d+/);

  // Makes the source keep more than 1 MB of log.
  await execute("CREATE TABLE other AS SELECT repeat('x', 100) AS x FROM generate_series(1, 40000)");
  const warned = await run();
  assert.match(JSON.stringify(warned.metrics.datasets), /more than warn_log_mb \(1 MB\)/);

  await refused(
    start({ window: { from: "1", to: "2" } }),
    422,
    /reads the log of its source, which has no windows/,
  );
  await execute(`SELECT pg_drop_replication_slot('${slot}'); INSERT INTO orders VALUES (4, 'd')`);
  const lost = await run();
  assert.deepEqual(lost.status, "failed");
  assert.match(lost.error ?? "", /Changes are lost: .*"full_refresh"/);
  const refreshed = await run({ full_refresh: true });
  assert.equal(refreshed.status, "succeeded", refreshed.error ?? "");
  assert.equal((await inWarehouse()).length, 3);

  const { message } = await client.deleteConnector({ params: { connector_id: id } });
  assert.equal(message, "Connector shop-log deleted.");
  assert.equal(
    (await execute("SELECT 1 FROM pg_replication_slots UNION ALL SELECT 1 FROM pg_publication")).rowCount,
    0,
  );
  assert.ok(JSON.stringify(await events()).includes("connector.warned"));
  assert.ok(!JSON.stringify(await events()).includes(`"${password}"`));
});

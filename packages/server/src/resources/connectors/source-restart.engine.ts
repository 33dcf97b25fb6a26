/** A PostgreSQL that is restarted while a scheduled run reads from it. The clock is the test's; the database is real. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { query, startPostgres } from "@lakehelm/testing";
import { until } from "@lakehelm/testing/until";
import pg from "pg";
import { startTestServer } from "../../testing/server.ts";

test("a source database that restarts for 40 s does not fail a scheduled run, and each retry is recorded", async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), "lakehelm-restart-"));
  const postgres = await startPostgres(join(scratch, "postgres"));
  t.after(async () => {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  });
  await query(
    postgres.url,
    "CREATE TABLE orders AS SELECT n AS id, 'order ' || n AS note FROM generate_series(1, 500) n",
  );
  // The clock runs by itself, and the test moves it ahead while no attempt is running.
  let ahead = Date.parse("2026-03-01T02:59:50Z") - Date.now();
  const now = () => new Date(Date.now() + ahead);
  const { client, close } = await startTestServer({ now });
  t.after(close);
  const { hostname, port, username, password } = new URL(postgres.url);
  const config = { host: hostname, port: Number(port), database: "postgres", user: username, password };

  // The read of the run waits for this lock until the database stops.
  const blocker = new pg.Client({ connectionString: postgres.url });
  blocker.on("error", () => {});
  await blocker.connect();
  await blocker.query("BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
  const { id } = await client.createConnector({
    body: {
      name: "shop-in",
      target_type: "warehouse",
      target_config: { connection: { name: "shop", type: "postgresql", config } },
      schedule_cron: "0 3 * * *",
      created_by: "ada",
      datasets: [{ source_dataset: "orders", target_name: "orders", primary_keys: ["id"] }],
    },
  });
  const job = `connector-${id}`;
  const lastRun = async () => (await client.listRuns({ query: { job, limit: 1 } })).runs[0];
  const isReading = `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'lakehelm%' AND wait_event_type = 'Lock'`;
  await until(async () => (await query(postgres.url, isReading)).rowCount === 1, 50);
  const downAt = now().getTime();
  await postgres.halt();
  await blocker.end().catch(() => {});

  /** The run when its attempt has failed and the next one waits. */
  const waitsAfter = (attempt: number): Promise<Run> =>
    until(async () => {
      const run = await lastRun();
      assert.notEqual(run?.status, "failed", run?.error ?? "");
      return run?.status === "queued" && run.attempt === attempt ? run : undefined;
    }, 50);
  const nextAt = (run: Run) => Date.parse(run.not_before ?? "");
  let waiting = await waitsAfter(1);
  while (nextAt(waiting) - downAt < 40_000) {
    ahead += Math.max(0, nextAt(waiting) - now().getTime());
    waiting = await waitsAfter(waiting.attempt + 1);
  }
  await postgres.start();
  ahead += Math.max(0, nextAt(waiting) - now().getTime());
  const ended = await until(async () => {
    const run = await lastRun();
    return run?.ended_at ? run : undefined;
  }, 50);

  assert.equal(ended.status, "succeeded", ended.error ?? "");
  assert.deepEqual([ended.cause.trigger, ended.metrics.rows_inserted], ["cron", 500]);
  const retries = ended.metrics.retries as { attempt: number; error: string }[];
  assert.deepEqual(
    retries.map(({ attempt }) => attempt),
    Array.from({ length: ended.attempt - 1 }, (_, n) => n + 1),
  );
  assert.ok(ended.attempt >= 3, `${ended.attempt} attempts`);
  assert.match(retries[0]?.error ?? "", /terminating connection|connection was lost/);
  assert.match(retries.at(-1)?.error ?? "", /connection refused/);
  const { lines } = await client.readRunLog({ params: { run_id: ended.id } });
  const logged = lines.filter(
    ({ level, line }) => level === "warn" && /^Attempt \d failed; the next/.test(line),
  );
  assert.equal(logged.length, retries.length);
  const { status, error_message } = await client.getConnector({ params: { connector_id: id } });
  assert.deepEqual([status, error_message], ["active", null]);
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { run } from "../../testing/store.ts";
import { createRunMetrics } from "./run-metrics.ts";
import { engines, retryableError, type TestJobs, type TestJobsOptions, testJobs } from "./test-jobs.ts";

const nameOf = async () => "dev";

/** The samples of the metrics with this beginning of the name, without `job_id`. */
async function samples({ jobs }: TestJobs, beginning: string): Promise<string[]> {
  const lines = (await jobs.metrics(nameOf)).split("\n");
  return lines
    .filter((line) => line.startsWith(beginning))
    .map((line) => line.replace(/,job_id="[^"]*"/, ""));
}

for (const engine of engines) {
  const start = (t: TestContext, options: Omit<TestJobsOptions, "engine"> = {}) =>
    testJobs(t, { engine, ...options });

  test(`${engine}: runs are counted by job and outcome, with rows, duration and retries`, async (t) => {
    const at = await start(t);
    const id = await at.install({ kind: "manual" }, { attempts: 2, backoff_seconds: 0 });
    await at.runNow(id);
    (await at.executor.next()).fail(retryableError("The database restarts."));
    await at.jobs.idle();
    await at.advance(2);
    at.deps.system.advance(3_000);
    (await at.executor.next()).finish({ rows_read: 10, rows_inserted: 7, rows_rejected: 3, seconds: 1 });
    await at.jobs.idle();
    await at.runNow(id);
    (await at.executor.next()).fail(new Error("No such table."));
    await at.jobs.idle();
    const labels = `job_name="${id}",kind="connector",environment="dev"`;
    assert.deepEqual(await samples(at, "lakehelm_runs_total"), [
      `lakehelm_runs_total{${labels},outcome="succeeded"} 1`,
      `lakehelm_runs_total{${labels},outcome="failed"} 1`,
      `lakehelm_runs_total{${labels},outcome="cancelled"} 0`,
    ]);
    assert.deepEqual(await samples(at, "lakehelm_run_rows_total"), [
      `lakehelm_run_rows_total{${labels},change="read"} 10`,
      `lakehelm_run_rows_total{${labels},change="inserted"} 7`,
      `lakehelm_run_rows_total{${labels},change="updated"} 0`,
      `lakehelm_run_rows_total{${labels},change="deleted"} 0`,
      `lakehelm_run_rows_total{${labels},change="rejected"} 3`,
      `lakehelm_run_rows_total{${labels},change="superseded"} 0`,
    ]);
    assert.deepEqual(await samples(at, "lakehelm_run_retries_total"), [
      `lakehelm_run_retries_total{${labels}} 1`,
    ]);
    assert.deepEqual(await samples(at, "lakehelm_job_run_seconds_total"), [
      `lakehelm_job_run_seconds_total{${labels}} 5`,
    ]);
    assert.deepEqual(await samples(at, 'lakehelm_run_seconds_bucket{kind="connector",le="1"}'), [
      'lakehelm_run_seconds_bucket{kind="connector",le="1"} 1',
    ]);
    assert.deepEqual(await samples(at, 'lakehelm_run_seconds_sum{kind="connector"}'), [
      'lakehelm_run_seconds_sum{kind="connector"} 5',
    ]);
  });

  test(`${engine}: a new job has all its series at 0, and a server that has executed nothing knows the last success`, async (t) => {
    const at = await start(t);
    const id = await at.install({ kind: "manual" });
    const created = Date.parse(at.deps.system.now().toISOString()) / 1000;
    const labels = `job_name="${id}",kind="connector",environment="dev"`;
    const ofJob = async (from: TestJobs) =>
      (await samples(from, "lakehelm_")).filter((line) => line.includes(`{${labels}`));
    const counters = (await ofJob(at)).filter((line) => line.includes("_total{"));
    assert.equal(counters.length, 3 + 6 + 2);
    for (const line of counters) assert.match(line, / 0$/);
    const gauges = async (from: TestJobs) => (await ofJob(from)).filter((line) => !line.includes("_total{"));
    assert.deepEqual(await gauges(at), [
      `lakehelm_job_created_timestamp_seconds{${labels}} ${created}`,
      `lakehelm_job_failures{${labels}} 0`,
    ]);
    const succeeded = async () => {
      await at.runNow(id);
      (await at.executor.next()).finish();
      await at.jobs.idle();
      return at.deps.system.now().getTime() / 1000;
    };
    const success = await succeeded();
    for (let n = 0; n < 2; n++) {
      await at.advance(60);
      await at.runNow(id);
      (await at.executor.next()).fail(new Error("No such table."));
      await at.jobs.idle();
    }
    const other = await at.another();
    for (const server of [at, other]) {
      assert.deepEqual(await gauges(server), [
        `lakehelm_job_last_success_timestamp_seconds{${labels}} ${success}`,
        `lakehelm_job_created_timestamp_seconds{${labels}} ${created}`,
        `lakehelm_job_failures{${labels}} 2`,
      ]);
    }
    await run(at.deps.store, `delete from jobs where id = '${id}'`);
    assert.deepEqual(await ofJob(at), []);
  });

  test(`${engine}: the queue, and how late runs start`, async (t) => {
    const at = await start(t, { startAt: "2026-03-01T12:00:00.000Z" });
    await at.install({ kind: "cron", cron: "0 13 * * *", timezone: "UTC" });
    assert.deepEqual(await samples(at, "lakehelm_schedule_lag_seconds"), ["lakehelm_schedule_lag_seconds 0"]);
    at.deps.system.advance(3_607_000);
    assert.deepEqual(await samples(at, "lakehelm_schedule_lag_seconds"), ["lakehelm_schedule_lag_seconds 7"]);
    await at.advance(1);
    const work = await at.executor.next();
    assert.deepEqual(await samples(at, "lakehelm_schedule_lag_seconds"), ["lakehelm_schedule_lag_seconds 0"]);
    assert.deepEqual(await samples(at, "lakehelm_runs_queued"), ["lakehelm_runs_queued 0"]);
    assert.deepEqual(await samples(at, "lakehelm_runs_running"), ["lakehelm_runs_running 1"]);
    assert.deepEqual(await samples(at, 'lakehelm_run_start_delay_seconds_sum{kind="connector"}'), [
      'lakehelm_run_start_delay_seconds_sum{kind="connector"} 8',
    ]);
    work.finish();
    await at.jobs.idle();
  });
}

test("when tables changed is read again after each run, and a failure keeps the last values", async (t) => {
  let version = 0;
  const tableVersions = async () => {
    version += 1;
    if (version === 2) throw new Error("The engine is busy.");
    return [{ name: "shop.sales.orders", version, at: new Date(version * 1000).toISOString() }];
  };
  const at = await testJobs(t, { engine: "sqlite", tableVersions });
  const table = 'lakehelm_table_changed_timestamp_seconds{environment="dev",table="shop.sales.orders"}';
  const shown = () => samples(at, "lakehelm_table");
  assert.deepEqual(await shown(), []);
  const id = await at.install({ kind: "manual" });
  const run = async () => {
    await at.runNow(id);
    (await at.executor.next()).finish();
    await at.jobs.idle();
  };
  await run();
  assert.deepEqual([await shown(), await shown()], [[`${table} 1`], [`${table} 1`]]);
  await run();
  assert.deepEqual([await shown(), await shown()], [[`${table} 1`], [`${table} 3`]]);
});

test("tables of a deleted environment are neither read nor shown, and a lost database hides no counters", async (t) => {
  let reads = 0;
  const tableVersions = async () => {
    reads += 1;
    return [{ name: "shop.sales.orders", version: 1, at: new Date(0).toISOString() }];
  };
  const at = await testJobs(t, { engine: "sqlite", tableVersions });
  const id = await at.install({ kind: "manual" });
  const run = async () => {
    await at.runNow(id);
    (await at.executor.next()).finish();
    await at.jobs.idle();
  };
  await run();
  assert.match(await at.jobs.metrics(nameOf), /^lakehelm_table_changed_timestamp_seconds\{/m);
  await run();
  const away = await at.jobs.metrics(async () => Promise.reject(new Error("The database does not respond.")));
  assert.match(away, /^lakehelm_runs_total\{.*outcome="succeeded"\} 2$/m);
  assert.match(away, /^lakehelm_job_last_success_timestamp_seconds\{.*environment="dev"/m);
  assert.match(away, /^lakehelm_schedule_lag_seconds 0$/m);
  assert.match(away, /^lakehelm_runs_queued 0$/m);
  await run();
  const readBefore = reads;
  const deleted = await at.jobs.metrics(async () => undefined);
  assert.doesNotMatch(deleted, /^lakehelm_table/m);
  assert.equal(reads, readBefore);
});

test("labels are escaped, and jobs beyond the maximum are counted together", () => {
  const metrics = createRunMetrics(2);
  const now = new Date();
  const time = now.toISOString();
  const run: Run = {
    id: "r",
    job_id: "a",
    environment_id: "e",
    kind: "connector",
    name: "a",
    status: "running",
    cause: { trigger: "manual", by: "ada", time },
    attempt: 1,
    queued_at: time,
    not_before: null,
    started_at: time,
    ended_at: null,
    error: null,
    metrics: {},
    cancelled: null,
  };
  for (const id of ["a", "b", "c", "d", "a"]) {
    const job = { id, name: `"${id}"\n\\`, kind: "connector", environmentId: "e" } as const;
    metrics.ended(run, job, { outcome: "failed", error: "No such table.", at: now });
  }
  const counted = metrics
    .print((id) => id)
    .split("\n")
    .filter((line) => line.startsWith("lakehelm_runs_total") && line.includes("failed"));
  const rest = 'kind="connector",environment';
  assert.deepEqual(counted, [
    `lakehelm_runs_total{job_name="\\"a\\"\\n\\\\",${rest}="e",job_id="a",outcome="failed"} 2`,
    `lakehelm_runs_total{job_name="\\"b\\"\\n\\\\",${rest}="e",job_id="b",outcome="failed"} 1`,
    `lakehelm_runs_total{job_name="(other jobs)",${rest}="",job_id="other-connector",outcome="failed"} 2`,
  ]);
});

/** Runs the shipped dashboard and alerts in a real Prometheus that scrapes a real server. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "@lakehelm/testing/free-port";
import { until } from "@lakehelm/testing/until";
import { proxyTo } from "./testing/database-proxy.ts";
import { freshDatabase } from "./testing/postgres.ts";
import { checkWithPromtool, hasPrometheus, startPrometheus } from "./testing/prometheus.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const examples = new URL("../../../examples/", import.meta.url);
const alerts = new URL("prometheus/alerts.yml", examples);
const day = 86_400_000;
const skip = (await hasPrometheus()) ? false : "Prometheus is not installed (.ci/prometheus installs it).";

async function addJob({ client }: TestServer, alias: string, query: string): Promise<void> {
  const definition = { tasks: [{ name: "task", kind: "sql" as const, query }] };
  await client.createAutomation({ body: { alias, definition } });
  await client.syncAutomationRelease({ body: { automation_alias: alias, environment: "local" } });
}

async function runJob({ client }: TestServer, alias: string): Promise<void> {
  const { id } = await client.runAutomation({ params: { automation_alias: alias } });
  await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
}

suite("in a real Prometheus", { skip }, () => {
  test("promtool accepts the shipped files", async () => {
    await checkWithPromtool("check", "rules", fileURLToPath(alerts));
    const config = fileURLToPath(new URL("prometheus/prometheus.yml", examples));
    await checkWithPromtool("check", "config", "--syntax-only", config);
  });

  test("dashboard and alerts show ten jobs, a first failure, a dead job, a restart, a lost database and a full disk", async (t) => {
    const database = await freshDatabase(`prometheus_${process.pid}`);
    t.after(database.drop);
    const proxy = await proxyTo(t, database.url);
    let clockBehindMs = 3 * day;
    let server = await startTestServer({
      settings: { DATABASE_URL: proxy.url, PORT: String(await freePort()) },
      now: () => new Date(Date.now() - clockBehindMs),
    });
    t.after(() => server.close());
    const prometheus = await startPrometheus(t, server, alerts);
    const { query } = prometheus;
    const namesIn = async (expression: string) =>
      (await query(expression)).map(({ metric }) => metric.job_name).sort();
    const fires = (name: string, job?: string) =>
      until(
        async () =>
          (await prometheus.firing()).some(
            (alert) => alert.name === name && (job === undefined || alert.labels.job_name === job),
          ),
        50,
      );
    const isQuiet = (name: string) =>
      until(async () => (await prometheus.firing()).every((alert) => alert.name !== name), 50);

    // Ten jobs that succeeded three days ago, and one job that has not run.
    const names = Array.from({ length: 10 }, (_, n) => `job ${n}`);
    for (const name of names) {
      await addJob(server, name, "create or replace table one as select 1 as one");
      await runJob(server, name);
    }
    await addJob(server, "fails", "select * from no_such_table");
    const success = "max by (job_name) (lakehelm_job_last_success_timestamp_seconds)";
    await until(async () => (await query(success)).length === 10, 50);
    assert.deepEqual(await namesIn(success), names);
    const dashboard: { panels: { title: string; targets?: { expr: string }[] }[] } = JSON.parse(
      await readFile(new URL("grafana/lakehelm.json", examples), "utf8"),
    );
    const panel = (title: string): string => {
      const found = dashboard.panels.find((one) => one.title === title)?.targets?.[0]?.expr;
      return (found ?? assert.fail(title))
        .replaceAll("$environment", ".*")
        .replaceAll("$__rate_interval", "5m");
    };
    assert.deepEqual(await namesIn(panel("Time since the last success, by job")), names);

    // A restart with the right clock: the last successes are known without a run, but they are old.
    const restartedAt = Date.now() / 1000;
    server = await server.restart({}, () => {
      clockBehindMs = 0;
    });
    await until(
      async () =>
        (await query(`timestamp(lakehelm_job_last_success_timestamp_seconds) > ${restartedAt}`)).length ===
        10,
      50,
    );
    await fires("LakehelmJobHasNotSucceeded", "job 3");
    await runJob(server, "job 3");
    await until(
      async () =>
        !(await prometheus.firing()).some(
          ({ name, labels }) => name === "LakehelmJobHasNotSucceeded" && labels.job_name === "job 3",
        ),
      50,
    );
    assert.equal((await namesIn(panel("Time since the last success, by job"))).length, 10);

    // A first failure is an increase, because the counter was 0 before.
    const failed = 'lakehelm_runs_total{job_name="fails",outcome="failed"}';
    await until(
      async () =>
        (await query(`timestamp(${failed} == 0) > ${restartedAt}`)).length === 1 &&
        (await query(`count_over_time(${failed}[1m])`)).some(({ value }) => value >= 2),
      50,
    );
    assert.ok((await prometheus.firing()).every(({ name }) => name !== "LakehelmRunFailed"));
    await runJob(server, "fails");
    await fires("LakehelmRunFailed", "fails");
    assert.deepEqual(
      await until(async () => {
        const found = await namesIn(panel("Failed runs by job"));
        return found.length > 0 && found;
      }, 50),
      ["fails"],
    );
    const inADay = await query(panel("Failed runs in the last day"));
    assert.ok((inADay[0]?.value ?? 0) > 0, JSON.stringify(inADay));

    // A job that keeps failing.
    await runJob(server, "fails");
    await runJob(server, "fails");
    await fires("LakehelmJobKeepsFailing", "fails");

    // Every panel queries metrics that exist; a panel with a comparison may be empty.
    for (const { title, targets = [] } of dashboard.panels) {
      for (const { expr } of targets) {
        const asked = expr.replaceAll("$environment", ".*").replaceAll("$__rate_interval", "5m");
        const isFilter = asked.endsWith("> 0");
        await until(async () => (await query(asked)).length > 0 || isFilter, 50).catch(() =>
          assert.fail(`${title}: ${asked}`),
        );
      }
    }

    // Prometheus renames a label of a metric if it sets a label of this name itself.
    assert.deepEqual(
      (await prometheus.labels()).filter((label) => label.startsWith("exported_")),
      [],
    );

    // A lost database: first its connections are refused, then it does not answer.
    for (const lose of [proxy.cut, proxy.block]) {
      await isQuiet("LakehelmDatabaseDown");
      lose();
      await fires("LakehelmDatabaseDown");
      await fires("LakehelmNotReady");
      const lostAt = Date.now() / 1000;
      for (const name of [
        "schedule_lag_seconds",
        "runs_queued",
        "job_last_success_timestamp_seconds",
        "ready",
      ]) {
        const fresh = `timestamp(lakehelm_${name}) > ${lostAt}`;
        await until(async () => (await query(fresh)).length > 0, 50);
      }
      assert.deepEqual(
        (await query("lakehelm_ready + lakehelm_database_up")).map(({ value }) => value),
        [0],
      );
      assert.deepEqual(
        (await query("up")).map(({ value }) => value),
        [1],
      );
      proxy.restore();
      await isQuiet("LakehelmNotReady");
    }

    // A reserve that is larger than any disk.
    await isQuiet("LakehelmDiskLow");
    server = await server.restart({ PLATFORM_DISK_RESERVE_MB: "1000000000" });
    await fires("LakehelmDiskLow");
  });
});

/** Compares the metrics of a real server with the documents that name them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer, type TestServer } from "./testing/server.ts";

const root = new URL("../../../", import.meta.url);
const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const sample = new RegExp(`^([a-z_]+)(\\{${label}(?:,${label})*\\})? (-?[0-9.e+-]+)$`);

suite("/metrics", () => {
  let server: TestServer;
  let lines: string[] = [];
  /** The first scrape: there are jobs, but they have not run yet. */
  let first: string[] = [];
  const scrape = async () => (await (await server.fetch("/metrics")).text()).trimEnd().split("\n");
  const seriesOf = (line: string) => line.slice(0, line.lastIndexOf(" "));
  const declared = () => lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);

  before(async () => {
    // No collector listens there: the test needs only the metrics of tracing.
    server = await startTestServer({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } });
    const { client } = server;
    const queries = { orders: "create table orders as select 1 as id", broken: "select * from nowhere" };
    for (const [alias, query] of Object.entries(queries)) {
      await client.createAutomation({
        body: { alias, definition: { tasks: [{ name: "make", kind: "sql", query }] } },
      });
      await client.syncAutomationRelease({ body: { automation_alias: alias, environment: "local" } });
    }
    first = await scrape();
    await server.fetch("/nowhere");
    await server.fetch("/api/v1/runs/unknown");
    for (const alias of Object.keys(queries)) {
      const { id } = await client.runAutomation({ params: { automation_alias: alias } });
      await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
    }
    await until(async () => {
      lines = await scrape();
      return lines.some((line) => line.startsWith("lakehelm_table_changed_timestamp_seconds{"));
    });
  });
  after(() => server.close());

  const value = (beginning: string) =>
    lines
      .find((line) => line.startsWith(beginning))
      ?.split(" ")
      .at(-1) ?? assert.fail(beginning);

  test("each sample is well-formed, belongs to a declared metric, and is there once", () => {
    const metrics = new Set(declared());
    const series = lines
      .filter((line) => !line.startsWith("#"))
      .map((line) => {
        const [, name = "", labels = ""] = sample.exec(line) ?? assert.fail(line);
        const isDeclared = metrics.has(name) || metrics.has(name.replace(/_(bucket|sum|count)$/, ""));
        assert.ok(isDeclared, line);
        return name + labels;
      });
    assert.equal(new Set(series).size, series.length);
    assert.equal(metrics.size, declared().length);
  });

  test("a run shows in the metrics of runs, tables and the engine", () => {
    assert.equal(value('lakehelm_runs_total{job_name="orders",kind="automation",environment="local"'), "1");
    const changed = value(
      'lakehelm_table_changed_timestamp_seconds{environment="local",table="main.default.orders"}',
    );
    assert.ok(Math.abs(Number(changed) * 1000 - Date.now()) < 600_000, changed);
    assert.ok(Number(value("lakehelm_engine_memory_bytes")) > 10_000_000);
    assert.equal(value("lakehelm_data_folder_held"), "1");
    assert.equal(value("lakehelm_runs_queued"), "0");
  });

  test("no label has a name that Prometheus sets itself or keeps for itself", () => {
    const names = new Set(
      lines
        .filter((line) => !line.startsWith("#") && !/^\w+_bucket\{/.test(line))
        .flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, name]) => String(name))),
    );
    assert.ok(names.size > 8);
    for (const name of names) {
      assert.ok(!["job", "instance", "le", "quantile", "alertname"].includes(name), name);
      assert.doesNotMatch(name, /^(__|exported_)/);
    }
  });

  test("each series of a counter is there before what it counts happens", () => {
    const known = new Set(first.map(seriesOf));
    const counters = lines.flatMap((line) => /^# TYPE (\S+) counter$/.exec(line)?.[1] ?? []);
    assert.ok(counters.length > 12);
    for (const counter of counters) {
      const series = lines.filter((line) => line.startsWith(`${counter}{`) || line.startsWith(`${counter} `));
      assert.ok(series.length > 0 || counter.includes("workspace"), counter);
      for (const line of series) assert.ok(known.has(seriesOf(line)), line);
    }
    const failed = 'lakehelm_runs_total{job_name="broken",';
    const countOf = (from: readonly string[]) =>
      from
        .find((line) => line.startsWith(failed) && line.includes('outcome="failed"'))
        ?.split(" ")
        .at(-1);
    assert.deepEqual([countOf(first), countOf(lines)], ["0", "1"]);
  });

  test("docs/reference/metrics.md names each metric, and no other", async () => {
    const page = await readFile(new URL("docs/reference/metrics.md", root), "utf8");
    const named = new Set(page.match(/\blakehelm_[a-z_]+[a-z]\b/g));
    const own = declared().filter((name) => name.startsWith("lakehelm_"));
    assert.deepEqual([...named].sort(), own.sort());
  });

  for (const [file, least] of [
    ["grafana/lakehelm.json", 20],
    ["prometheus/alerts.yml", 12],
  ] as const)
    test(`examples/${file} asks only for metrics that exist`, async () => {
      const text = await readFile(new URL(`examples/${file}`, root), "utf8");
      const metrics = new Set(declared());
      const asked = text.match(/\b(lakehelm|process)_[a-z_]+[a-z]\b/g) ?? [];
      assert.ok(asked.length > least);
      for (const name of asked) assert.ok(metrics.has(name.replace(/_bucket$/, "")), name);
    });
});

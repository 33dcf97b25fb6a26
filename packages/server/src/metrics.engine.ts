/** What a real server prints at `/metrics`, compared with the documents that name its metrics. */
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
  const declared = () => lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);

  before(async () => {
    // No collector listens there: only the metrics of traces matter.
    server = await startTestServer({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } });
    const { client } = server;
    await client.createAutomation({
      body: {
        alias: "orders",
        definition: {
          tasks: [{ name: "make", kind: "sql", query: "create table orders as select 1 as id" }],
        },
      },
    });
    await client.syncAutomationRelease({ body: { automation_alias: "orders", environment: "local" } });
    const { id } = await client.runAutomation({ params: { automation_alias: "orders" } });
    await until(async () => (await client.getRun({ params: { run_id: id } })).ended_at !== null);
    await until(async () => {
      lines = (await (await server.fetch("/metrics")).text()).trimEnd().split("\n");
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
    assert.equal(value('lakehelm_runs_total{job="orders",kind="automation",environment="local"'), "1");
    const changed = value(
      'lakehelm_table_changed_timestamp_seconds{environment="local",table="main.default.orders"}',
    );
    assert.ok(Math.abs(Number(changed) * 1000 - Date.now()) < 600_000, changed);
    assert.ok(Number(value("lakehelm_engine_memory_bytes")) > 10_000_000);
    assert.equal(value("lakehelm_data_folder_held"), "1");
    assert.equal(value("lakehelm_runs_queued"), "0");
  });

  test("docs/operations.md names each metric, and no other", async () => {
    const page = await readFile(new URL("docs/operations.md", root), "utf8");
    const named = new Set(page.match(/\blakehelm_[a-z_]+[a-z]\b/g));
    const own = declared().filter((name) => name.startsWith("lakehelm_"));
    assert.deepEqual([...named].sort(), own.sort());
  });

  test("the Grafana dashboard asks only for metrics that exist", async () => {
    const dashboard = await readFile(new URL("examples/grafana/lakehelm.json", root), "utf8");
    const metrics = new Set(declared());
    const asked = dashboard.match(/\b(lakehelm|process)_[a-z_]+[a-z]\b/g) ?? [];
    assert.ok(asked.length > 15);
    for (const name of asked) assert.ok(metrics.has(name.replace(/_bucket$/, "")), name);
  });
});

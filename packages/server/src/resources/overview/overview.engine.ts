/** What the home page shows: how fresh tables are, and what a failure affects, directly and indirectly. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer } from "../../testing/server.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`the overview on ${engine}`, () => {
    let server: TestServer;
    let folder = "";
    let job = "";
    before(async () => {
      server = await startTestServer({ engine });
      folder = await mkdtemp(join(tmpdir(), "lakehelm-overview-"));
      await writeFile(join(folder, "orders.csv"), "id,amount\n1,10\n2,20\n");
      const { client } = server;
      await client.updateEnvironment({
        params: { environment_id: "local" },
        body: { configuration: { catalog: "shop", schema: "sales" } },
      });
      const imported = await client.createConnector({
        body: {
          name: "orders-in",
          target_type: "warehouse",
          target_config: { connection: { type: "files", config: { path: folder, format: "csv" } } },
          schedule_cron: "0 6 * * *",
          created_by: "ada",
          datasets: [{ source_dataset: "orders.csv", target_name: "orders", primary_keys: ["id"] }],
        },
      });
      job = imported.workflow_id ?? "";
      await runAndWait();
      await client.putFile({
        params: { path: "revenue.sql" },
        body: "CREATE OR REFRESH MATERIALIZED VIEW revenue AS SELECT sum(amount) AS amount FROM orders",
      });
      await client.createPipeline({
        body: { name: "revenue", libraries: [{ file: { path: "revenue.sql" } }] },
      });
      await client.createConnector({
        body: {
          name: "revenue-out",
          target_type: "csv",
          target_config: { path: folder },
          execution_mode: "manual",
          created_by: "ada",
          datasets: [{ source_dataset: "revenue", target_name: "revenue.csv" }],
        },
      });
    });
    after(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function runAndWait() {
      const run = await server.client.runJob({ params: { job_id: job } });
      const ended = () => server.client.getRun({ params: { run_id: run.id } });
      await until(async () => !["queued", "running"].includes((await ended()).status), 50);
      return ended();
    }
    const names = (items: readonly { readonly kind: string; readonly name: string }[]) =>
      items.map(({ kind, name }) => `${kind} ${name}`);

    test("a job affects the tables that it writes, what reads them, and what that writes", async () => {
      const { client } = server;
      // The engine is asked for the tables of a pipeline, and may need longer than a reader waits.
      const read = () => client.getJobDownstream({ params: { job_id: job } });
      await until(async () => (await read()).unknown.length === 0, 50);
      const { items, items_total } = await read();
      assert.deepEqual(names(items), [
        "table shop.sales.orders",
        "pipeline revenue",
        "table shop.sales.revenue",
        "connector revenue-out",
      ]);
      assert.equal(items_total, 4);
      assert.equal(items[1]?.via, "It reads shop.sales.orders.");
      const [pipeline] = (await client.listPipelines()).pipelines;
      assert.equal(items[1]?.job_id, `pipeline-${pipeline?.pipeline_id}`);
      await refused(client.getJobDownstream({ params: { job_id: "connector-none" } }), 404);
    });

    test("a table whose job fails is late, and the overview says what that affects", async () => {
      const { client } = server;
      const before = (await client.getOverview()).tables;
      const fresh = before.find(({ name }) => name === "shop.sales.orders");
      assert.equal(fresh?.job_name, "orders-in");
      assert.deepEqual([fresh?.is_late, (fresh?.due_at ?? "") > (fresh?.changed_at ?? "")], [false, true]);
      await rm(join(folder, "orders.csv"));
      await runAndWait();
      const { tables, affected, jobs, jobs_total, runs } = await client.getOverview();
      assert.deepEqual([tables[0]?.name, tables[0]?.is_late], ["shop.sales.orders", true]);
      assert.deepEqual(names(affected[0]?.items ?? []).slice(0, 2), [
        "table shop.sales.orders",
        "pipeline revenue",
      ]);
      assert.equal(affected[0]?.job_id, job);
      assert.equal(jobs_total, jobs.length);
      assert.deepEqual([...new Set(runs.map(({ status }) => status))].sort(), ["failed", "succeeded"]);
    });

    test("a table has what it comes from before it, and what depends on it after it", async () => {
      const { client } = server;
      const read = (table: string) => client.getTableLineage({ query: { table } });
      const { nodes, edges, freshness, is_complete } = await read("Revenue");
      const [pipeline] = (await client.listPipelines()).pipelines;
      assert.deepEqual(nodes, [
        { id: "table/shop.sales.revenue", kind: "table", name: "shop.sales.revenue", job_id: null },
        {
          id: "pipeline/revenue",
          kind: "pipeline",
          name: "revenue",
          job_id: `pipeline-${pipeline?.pipeline_id}`,
        },
        { id: "table/shop.sales.orders", kind: "table", name: "shop.sales.orders", job_id: null },
        { id: "connector/orders-in", kind: "connector", name: "orders-in", job_id: job },
        nodes[4],
      ]);
      assert.equal(nodes[4]?.id, "connector/revenue-out");
      assert.deepEqual(edges, [
        { from: "pipeline/revenue", to: "table/shop.sales.revenue" },
        { from: "table/shop.sales.orders", to: "pipeline/revenue" },
        { from: "connector/orders-in", to: "table/shop.sales.orders" },
        { from: "table/shop.sales.revenue", to: "connector/revenue-out" },
      ]);
      assert.deepEqual([freshness?.job_name, freshness?.changed_at, is_complete], ["revenue", null, true]);
      const unknown = await read("nowhere.at.all");
      assert.deepEqual([unknown.nodes.length, unknown.edges, unknown.freshness], [1, [], null]);
    });

    test("nobody sees environments without a role there", async () => {
      const { client } = server;
      await client.createEnvironment({ body: { name: "hidden" } });
      await refused(client.getOverview({ query: { environment: "nowhere" } }), 404);
      const { jobs, tables } = await client.getOverview({ query: { environment: "hidden" } });
      assert.deepEqual([jobs, tables], [[], []]);
    });
  });
}

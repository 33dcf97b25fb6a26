/** Updates of pipelines through the API, on the real engine. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";
import { endless } from "./test-endless.ts";

const byCustomer =
  "CREATE OR REFRESH MATERIALIZED VIEW by_customer AS SELECT customer_id, sum(amount) AS amount FROM orders GROUP BY customer_id";

for (const engine of enginesOfSlowSuites) {
  suite(`pipeline updates on ${engine}`, () => {
    let server: TestServer;
    let environment: string;
    before(async () => {
      server = await startTestServer({ engine });
      const body = { name: "shop", configuration: shopConfiguration };
      environment = (await server.client.createEnvironment({ body })).id;
      await fillWarehouse(server, environment, ...shop);
    });
    after(() => server.close());

    async function given(sql: string, spec: object = {}) {
      const name = unique("orders");
      const path = `${name}.sql`;
      const put = (text: string) => server.client.putFile({ params: { path }, body: text, environment });
      await put(sql);
      const body = { name, libraries: [{ file: { path } }], ...spec };
      const { pipeline_id } = await server.client.createPipeline({ body, environment });
      const params = { pipeline_id };
      const read = (update_id: string) =>
        server.client.getPipelineUpdate({ params: { ...params, update_id } });
      const ended = async (update_id: string) => {
        await until(async () => !["QUEUED", "RUNNING"].includes((await read(update_id)).state), 50);
        return read(update_id);
      };
      return {
        params,
        put,
        read,
        ended,
        start: (body = {}) => server.client.startPipelineUpdate({ params, body }),
        update: async (body = {}) =>
          ended((await server.client.startPipelineUpdate({ params, body })).update_id),
      };
    }
    const rows = async (sql: string) => (await server.client.runQuery({ body: { sql }, environment })).rows;
    const isRunning = (read: () => Promise<{ tables: { state: string }[] }>) =>
      until(async () => (await read()).tables.some(({ state }) => state === "running"), 50);

    test("an update that only validates writes no table, no file and no state except its run", async () => {
      const { update } = await given(
        `CREATE TABLE made AS SELECT 1 AS one; INSERT INTO orders SELECT * FROM orders; ${byCustomer}`,
      );
      const before = await contentOf(server, environment);
      assert.ok(Object.keys(before.files).some((path) => path.startsWith("warehouse/")));
      const validated = await update({ validate_only: true });
      assert.deepEqual([validated.state, validated.tables, validated.error], ["COMPLETED", [], null]);
      assert.deepEqual(await contentOf(server, environment), before);
    });

    test("a failed table skips only the tables that read it", async () => {
      const { params, update } = await given(
        `${byCustomer};
         CREATE OR REFRESH MATERIALIZED VIEW broken AS SELECT cast(email AS INT) AS x FROM customers;
         CREATE OR REFRESH MATERIALIZED VIEW behind AS SELECT count(*) AS n FROM broken`,
      );
      const failed = await update();
      assert.equal(failed.state, "FAILED");
      assert.deepEqual(
        failed.tables.map(({ name, state, rows_added }) => [name, state, rows_added]),
        [
          ["shop.sales.by_customer", "completed", 2],
          ["shop.sales.broken", "failed", 0],
          ["shop.sales.behind", "skipped", 0],
        ],
      );
      assert.match(failed.error ?? "", /^shop\.sales\.broken: .*CAST_INVALID_INPUT/);
      assert.deepEqual(await rows("SELECT customer_id FROM by_customer ORDER BY 1"), [[1], [2]]);
      const { events } = await server.client.listPipelineEvents({ params });
      assert.deepEqual(
        events.map(({ kind, table, state }) => [kind, table ?? "", state].join(" ")),
        [
          "update  QUEUED",
          "update  RUNNING",
          "table shop.sales.by_customer running",
          "table shop.sales.by_customer completed",
          "table shop.sales.broken running",
          "table shop.sales.broken failed",
          "table shop.sales.behind skipped",
          "update  FAILED",
        ],
      );
    });

    test("a second update waits; stopping the pipeline cancels both and leaves no partial table", async () => {
      const { params, put, start, read, ended, update } = await given(`${endless}`);
      const first = await start();
      await isRunning(() => read(first.update_id));
      const second = await start();
      assert.equal((await read(second.update_id)).state, "QUEUED");
      await server.client.stopPipeline({ params });
      const states = [await ended(second.update_id), await ended(first.update_id)].map(({ state }) => state);
      assert.deepEqual(states, ["CANCELED", "CANCELED"]);
      const [stopped] = (await read(first.update_id)).tables;
      assert.deepEqual(
        [stopped?.state, stopped?.error],
        ["skipped", "The update was stopped before shop.sales.endless was done."],
      );
      const { tables } = await server.client.readCatalog({ query: { table: "endless" }, environment });
      assert.deepEqual(tables, []);
      assert.equal((await server.client.getPipeline({ params })).health?.status, "UNKNOWN");

      await put(byCustomer.replace("by_customer", "by_customer_then"));
      assert.equal((await update()).state, "COMPLETED");
    });

    test("the next server continues an update after a shutdown, under the same id", async () => {
      const quick = byCustomer.replace("by_customer", "left_over");
      const { params, put, start, read, ended } = await given(`${quick}; ${endless}`);
      const { update_id } = await start();
      await isRunning(() => read(update_id).then(({ tables }) => ({ tables: tables.slice(1) })));
      // The update reads its files again when it continues.
      await put(quick);
      server = await server.restart();
      const { state, attempt, tables } = await ended(update_id);
      assert.deepEqual([state, attempt], ["COMPLETED", 1]);
      assert.deepEqual(
        tables.map(({ name, rows_added }) => [name, rows_added]),
        [["shop.sales.left_over", 2]],
      );
      assert.deepEqual(await rows("SELECT count(*) FROM left_over"), [[2]]);
      const { events } = await server.client.listPipelineEvents({ params });
      assert.deepEqual(
        events.flatMap(({ kind, message }) => (kind === "update" ? [message] : [])).slice(1, 3),
        ["The update started.", "The update continues after a shutdown of the server."],
      );
    });

    test("a missing file does not hide problems of the others; a notebook in another language needs Databricks", async () => {
      const name = unique("orders");
      const path = (kind: string) => `${name}-${kind}.sql`;
      const put = (kind: string, text: string) =>
        server.client.putFile({ params: { path: path(kind) }, body: text, environment });
      await put("broken", "CREATE OR REFRESH MATERIALIZED VIEW nothing AS SELECT amuont FROM orders");
      await put("python", "# Databricks notebook source\nimport dlt\n");
      const libraries = ["gone", "broken", "python"].map((kind) => ({ file: { path: path(kind) } }));
      const { update, params } = await given("SELECT 1", { libraries });
      const wrong = [
        `${path("gone")}:1:1: There is no file "${path("gone")}" in the environment "shop".`,
        `${path("python")}:1:1: "${path("python")}" is a notebook in a language other than SQL. Use an environment on the platform databricks.`,
        `${path("broken")}:1:55: amuont is not a column of any table here. Did you mean amount?`,
      ];
      for (const body of [{}, { validate_only: true }]) {
        const { state, error } = await update(body);
        assert.deepEqual([state, error?.split("\n")], ["FAILED", wrong]);
      }
      const { problems } = await server.client.getPipelineGraph({ params });
      assert.deepEqual(
        problems.map((one) => `${one.path}:${one.line}:${one.column}: ${one.message}`),
        wrong,
      );
    });

    test("other pipelines can use the tables of a deleted pipeline, also if it was running", async () => {
      const kept = byCustomer.replace("by_customer", "kept_tables");
      const { params, start, read } = await given(`${kept}; ${endless}`);
      const other = await given("INSERT INTO kept_tables VALUES (3, 1)");
      const { update_id } = await start();
      await isRunning(() => read(update_id).then(({ tables }) => ({ tables: tables.slice(1) })));
      assert.match(
        (await other.update()).error ?? "",
        new RegExp(`owned by the pipeline ${params.pipeline_id}`),
      );
      await server.client.deletePipeline({ params });
      await until(async () => (await server.rows()).outbox?.length === 0, 50);
      assert.equal((await server.client.getRun({ params: { run_id: update_id } })).status, "cancelled");
      const { state, error } = await other.update();
      assert.deepEqual([state, error], ["COMPLETED", null]);
      assert.deepEqual(await rows("SELECT customer_id FROM kept_tables ORDER BY 1"), [[1], [2], [3]]);
    });

    test("secret values of the configuration are redacted in every message about the SQL", async () => {
      const configuration = { api_token: "Hunter_Two" };
      const value = `$\{api_token}`;
      const code = (expectation: string) =>
        `CREATE OR REFRESH MATERIALIZED VIEW salted (CONSTRAINT named EXPECT (${expectation}))
         AS SELECT '${value}' AS salt`;
      const { params: of, put, update } = await given(code(`salt <> '${value}'`), { configuration });
      assert.equal((await update()).state, "COMPLETED");
      const graph = await server.client.getPipelineGraph({ params: of });
      assert.equal(graph.tables[0]?.expectations[0]?.condition, "salt <> '********'");
      await put(code(`\`${value}\` = 1`));
      const failed = await update();
      assert.match(failed.error ?? "", /\*{8}/);
      assert.equal((await update({ validate_only: true })).error, failed.error);
      // The engine reports names in lower case.
      await put(`CREATE OR REFRESH MATERIALIZED VIEW unsalted AS SELECT * FROM ${value}`);
      assert.match((await update()).error ?? "", /there is no table shop\.sales\.\*{8}/);
      const log = await server.client.readRunLog({ params: { run_id: failed.update_id } });
      assert.doesNotMatch(
        JSON.stringify([graph, failed, log, await server.rows(), server.logged]),
        /hunter/i,
      );
    });
  });
}

/** Everything that an update could write to, except the records of runs and their events. */
async function contentOf(server: TestServer, environment: string) {
  const { runs, run_log, jobs, pending_events, events, event_head, sqlite_sequence, ...state } =
    await server.rows();
  const files: Record<string, string> = {};
  for (const folder of ["warehouse", "workspaces", "staging"]) {
    for (const entry of await readdir(join(server.dataDir, folder), {
      recursive: true,
      withFileTypes: true,
    })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files[path.slice(server.dataDir.length + 1)] = hash("sha256", await readFile(path));
    }
  }
  const { tables } = await server.client.readCatalog({ environment });
  return { state, files, tables };
}

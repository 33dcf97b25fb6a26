/** Updates of pipelines through the API, on the real engine. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { engines, startTestServer, type TestServer, unique } from "../testing/server.ts";
import { until } from "../testing/store.ts";
import { fillWarehouse, shop, shopConfiguration } from "../testing/warehouse.ts";

/** More rows than anybody waits for: three customers, multiplied with themselves. */
const endless = `CREATE OR REFRESH MATERIALIZED VIEW endless AS
  SELECT count(*) AS n FROM ${Array.from({ length: 40 }, (_, n) => `orders o${n}`).join(" CROSS JOIN ")}`;
const byCustomer =
  "CREATE OR REFRESH MATERIALIZED VIEW by_customer AS SELECT customer_id, sum(amount) AS amount FROM orders GROUP BY customer_id";

for (const engine of engines) {
  suite(`a pipeline that runs, on ${engine}`, () => {
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

    test("an update that only validates writes nothing: no table, no file, no state but its own", async () => {
      const { update } = await given(
        `CREATE TABLE made AS SELECT 1 AS one; INSERT INTO orders SELECT * FROM orders; ${byCustomer}`,
      );
      const before = await contentOf(server, environment);
      assert.ok(Object.keys(before.files).some((path) => path.startsWith("warehouse/")));
      const validated = await update({ validate_only: true });
      assert.deepEqual([validated.state, validated.tables, validated.error], ["COMPLETED", [], null]);
      assert.deepEqual(await contentOf(server, environment), before);
    });

    test("a table that fails keeps only those from being made that read it", async () => {
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
      assert.match(failed.error ?? "", /^shop\.sales\.broken: .*ada@example\.com/);
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

    test("another update waits; stopped, both are over, and nothing is half done", async () => {
      const { params, put, start, read, ended, update } = await given(`${endless}`);
      const [first, second] = [await start(), await start()];
      await isRunning(() => read(first.update_id));
      assert.equal((await read(second.update_id)).state, "QUEUED");
      await server.client.stopPipeline({ params });
      const states = [await ended(second.update_id), await ended(first.update_id)].map(({ state }) => state);
      assert.deepEqual(states, ["CANCELED", "CANCELED"]);
      const { tables } = await server.client.readCatalog({ query: { table: "endless" }, environment });
      assert.deepEqual(tables, []);
      assert.equal((await server.client.getPipeline({ params })).health?.status, "UNKNOWN");

      await put(byCustomer.replace("by_customer", "by_customer_then"));
      assert.equal((await update()).state, "COMPLETED");
    });

    test("one that a server has left goes on with the next one, as the same update", async () => {
      const quick = byCustomer.replace("by_customer", "left_over");
      const { put, start, read, ended } = await given(`${quick}; ${endless}`);
      const { update_id } = await start();
      await isRunning(() => read(update_id).then(({ tables }) => ({ tables: tables.slice(1) })));
      // Its files are read again when it goes on.
      await put(quick);
      server = await server.restart();
      const { state, attempt, tables } = await ended(update_id);
      assert.deepEqual([state, attempt], ["COMPLETED", 1]);
      assert.deepEqual(
        tables.map(({ name, rows_added }) => [name, rows_added]),
        [["shop.sales.left_over", 2]],
      );
      assert.deepEqual(await rows("SELECT count(*) FROM left_over"), [[2]]);
    });

    test("secret values are in the SQL, and in nothing that is said about it", async () => {
      const params = { scope: "shop", key: "salt" };
      await server.client.putSecret({ params, body: { value: "hunter-one" }, environment });
      const configuration = { salt: "{{secrets/shop/salt}}", api_token: "hunter-two" };
      const value = (key: string) => `$\{${key}}`;
      const code = (expectation: string) =>
        `CREATE OR REFRESH MATERIALIZED VIEW salted (CONSTRAINT named EXPECT (${expectation}))
         AS SELECT '${value("salt")} ${value("api_token")}' AS salt`;
      const sql = code(`salt <> '${value("salt")}'`);
      const { params: of, put, update } = await given(sql, { configuration });
      assert.equal((await update()).state, "COMPLETED");
      assert.deepEqual(await rows("SELECT salt FROM salted"), [["hunter-one hunter-two"]]);
      const graph = await server.client.getPipelineGraph({ params: of });
      assert.equal(graph.tables[0]?.expectations[0]?.condition, "salt <> '********'");
      await put(code(`\`${value("api_token")}\` = 1`));
      const failed = await update();
      assert.match(failed.error ?? "", /\*{8}/);
      assert.equal((await update({ validate_only: true })).error, failed.error);
      const log = await server.client.readRunLog({ params: { run_id: failed.update_id } });
      assert.doesNotMatch(JSON.stringify([graph, failed, log, await server.rows(), server.logged]), /hunter/);
    });
  });
}

/** Everything that an update could write to, but for the records of runs and what they tell. */
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

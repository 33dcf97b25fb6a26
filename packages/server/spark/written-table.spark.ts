/** Changes that others make to a table on Spark that a connector writes, and columns that are added at its source. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { someOf } from "@lakehelm/testing/nightly";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

/** Each statement removes rows of the table `t` in a different way. */
const removals = [
  "TRUNCATE TABLE t",
  "INSERT OVERWRITE t SELECT * FROM t WHERE id = 2",
  "MERGE INTO t USING (SELECT 1 AS id) s ON s.id = t.id WHEN MATCHED THEN DELETE",
  "CREATE OR REPLACE TABLE t AS SELECT * FROM t WHERE id = 2",
  "DELETE FROM t WHERE id = 1",
];

suite("tables on Spark that others change", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let source: DatabaseSync;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-written-"));
    await mkdir(join(folder, "staging"));
    source = new DatabaseSync(join(folder, "shop.db"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, staging: join(folder, "staging") };
    const body = { name: "written", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
  });
  after(async () => {
    source?.close();
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A table with two rows that a connector with a watermark has loaded. */
  async function loaded(custom_config: object = {}, api?: string) {
    const table = unique("orders").replace("-", "_");
    source.exec(
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, n INT); INSERT INTO ${table} VALUES (1, 1), (2, 2)`,
    );
    const { workflow_id, error_message } = await server.client.createConnector({
      body: {
        ...{ name: table, execution_mode: "manual", created_by: "ada", target_type: "warehouse" },
        target_config: {
          connection: api
            ? { name: "api", type: "rest", config: { url: api, watermark_param: "since" } }
            : { name: "shop", type: "sqlite", config: { path: join(folder, "shop.db") } },
        },
        datasets: [
          {
            ...{ source_dataset: table, target_name: table, primary_keys: ["id"] },
            custom_config: { watermark_column: "n", ...custom_config },
          },
        ],
      },
      environment,
    });
    assert.equal(error_message, null);
    const params = { job_id: workflow_id ?? "" };
    const run = async (parameters: Record<string, unknown> = {}): Promise<Run> =>
      endedRun(server.client, (await server.client.runJob({ params, body: { parameters } })).id);
    const name = `main.shop.${table}`;
    const first = await run();
    assert.equal(first.error, null);
    return {
      table,
      run,
      name,
      rows: (columns = "id") =>
        queryRows(server.client, environment, `SELECT ${columns} FROM ${name} ORDER BY id`),
      /** Executes a statement as another writer of the table. */
      execute: (sql: string) => runStatements(spark, [sql.replaceAll(/\bt\b/g, name)]),
    };
  }
  const warningsOf = ({ metrics }: Run) =>
    (metrics.datasets as { warnings?: string[] }[]).flatMap(({ warnings = [] }) => warnings).join();

  test("rows that others remove fail the run until all rows are read again", async () => {
    for (const removal of someOf(removals, 2)) {
      const { run, rows, execute, name } = await loaded();
      await execute(removal);
      for (const parameters of [{}, { window: { from: "1", to: "3" } }, { retry_rejects: true }, {}]) {
        const { status, error } = await run(parameters);
        assert.equal(status, "failed", `${removal}: ${JSON.stringify(parameters)}`);
        assert.ok(
          error?.includes(`Something else has removed rows of ${name} since the last run`),
          error ?? "",
        );
        assert.match(
          error ?? "",
          /reset_watermark[^\n]*\n.* set custom_config\.on_lost_rows of the dataset to "warn"/,
        );
      }
      assert.equal((await run({ reset_watermark: true })).error, null);
      assert.deepEqual(await rows(), [[1], [2]], removal);
      assert.deepEqual([(await run()).error, await rows()], [null, [[1], [2]]]);
    }
  });

  test("rows that others remove while a run reads its source fail the next one", async (t) => {
    let meanwhile = async () => {};
    let rows = [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ];
    const api = createServer(async ({ url = "" }, response) => {
      const now = meanwhile;
      meanwhile = async () => {};
      await now();
      const since = Number(new URL(url, "http://api").searchParams.get("since"));
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(rows.filter(({ n }) => n >= since)));
    });
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    t.after(() => void api.close().closeAllConnections());
    const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const given = await loaded({}, address);
    meanwhile = async () => void (await given.execute("DELETE FROM t WHERE id = 1"));
    rows = [...rows, { id: 3, n: 3 }];
    assert.equal((await given.run()).error, null);
    const told = `Something else has removed rows of ${given.name} since the last run: DELETE`;
    for (const attempt of [1, 2]) {
      const { error } = await given.run();
      assert.ok(error?.includes(told), `attempt ${attempt}: ${error}`);
    }
    assert.equal((await given.run({ reset_watermark: true })).error, null);
    assert.equal((await given.run()).error, null);
    assert.deepEqual(await given.rows(), [[1], [2], [3]]);
  });

  test("with on_lost_rows: warn each loss is told once; changed rows are a warning, and added ones are none", async () => {
    const { run, execute } = await loaded({ on_lost_rows: "warn" });
    await execute("DELETE FROM t WHERE id = 1");
    const told = await run();
    assert.equal(told.error, null);
    assert.match(warningsOf(told), /Something else has removed rows/);
    assert.equal(warningsOf(await run()), "");
    await execute("UPDATE t SET n = 0 WHERE id = 2");
    assert.match(
      warningsOf(await run()),
      /Something else has changed rows .* To compare them with the source/,
    );
    await execute("INSERT INTO t VALUES (9, 0)");
    assert.equal(warningsOf(await run()), "");
  });

  test("an export finds an emptied target, unless the table is empty as well", async () => {
    const { name, execute } = await loaded();
    const target = unique("sent").replace("-", "_");
    const { workflow_id, error_message } = await server.client.createConnector({
      body: {
        ...{ name: target, execution_mode: "manual", created_by: "ada", target_type: "sqlite" },
        target_config: { path: join(folder, "shop.db") },
        datasets: [
          {
            ...{ source_dataset: name, target_name: target, primary_keys: ["id"] },
            custom_config: { watermark_column: "n", deletes: true, max_delete_share: 1 },
          },
        ],
      },
      environment,
    });
    assert.equal(error_message, null);
    const params = { job_id: workflow_id ?? "" };
    const send = async () =>
      (await endedRun(server.client, (await server.client.runJob({ params })).id)).error;
    assert.equal(await send(), null);
    source.exec(`DELETE FROM ${target}`);
    assert.match((await send()) ?? "", /has no rows in the target, although earlier runs have written some/);
    await execute("DELETE FROM t");
    assert.equal(await send(), null);
  });

  test("a column that is added with a default: old rows have NULL, or are filled with backfill", async () => {
    for (const [on_added_column, filled, isSeenByWindow] of [
      ["null", null, false],
      ["backfill", 7, false],
      ["backfill", 7, true],
    ] as const) {
      const { table, run, rows } = await loaded({ on_added_column });
      source.exec(
        `ALTER TABLE ${table} ADD COLUMN extra INT DEFAULT 7; INSERT INTO ${table} VALUES (3, 3, 8)`,
      );
      if (isSeenByWindow) {
        assert.equal((await run({ window: { from: "2", to: "3" } })).error, null);
        assert.deepEqual(await rows("id, extra"), [
          [1, null],
          [2, 7],
        ]);
      }
      const done = await run();
      assert.equal(done.error, null);
      assert.deepEqual(await rows("id, extra"), [
        [1, filled],
        // Rows at the watermark are always read again.
        [2, on_added_column === "null" ? 7 : filled],
        [3, 8],
      ]);
      const [{ schema_changes = [] } = {}] = done.metrics.datasets as {
        schema_changes?: { existing_rows?: string }[];
      }[];
      assert.deepEqual(
        schema_changes.map(({ existing_rows }) => existing_rows),
        [filled === null ? "null" : "backfilled"],
      );
    }
  });
});

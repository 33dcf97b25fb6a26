/** Alters columns of Delta tables on a real Spark Connect server; connectors must continue to work. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { refused } from "../src/testing/refusal.ts";
import { startTestServer, type TestServer } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

type Change = Parameters<TestServer["client"]["alterTable"]>[0]["body"]["changes"][number];

suite("alterations of tables on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let source: DatabaseSync;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-alterations-"));
    await mkdir(join(folder, "staging"));
    source = new DatabaseSync(join(folder, "shop.db"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const { id } = await server.client.createEnvironment({
      body: {
        name: "cluster",
        platform: "spark",
        configuration: { ...spark.configuration, token: spark.token, staging: join(folder, "staging") },
      },
    });
    environment = id;
  });
  after(async () => {
    source?.close();
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const alter = (change: Change, force = false) =>
    server.client.alterTable({ body: { table: "orders", changes: [change], force }, environment });
  const rows = (sql: string) => queryRows(server.client, environment, sql);
  const columns = async () => {
    const { tables } = await server.client.readCatalog({
      query: { catalog: "main", schema: "shop", table: "orders" },
      environment,
    });
    return tables[0]?.columns.map(({ name, type }) => `${name} ${type}`);
  };

  test("types widen, columns move, are dropped and renamed, and the next run succeeds each time", async () => {
    source.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, amount NUMERIC(12,2), updated_at TIMESTAMP, old TEXT);
      INSERT INTO orders VALUES (1, 'a', 1.25, '2026-01-01 00:00:01', 'x')`);
    const connector = await server.client.createConnector({
      body: {
        name: "in",
        execution_mode: "manual",
        created_by: "ada",
        target_type: "warehouse",
        target_config: {
          connection: { name: "shop", type: "sqlite", config: { path: join(folder, "shop.db") } },
        },
        datasets: [
          {
            source_dataset: "orders",
            target_name: "orders",
            primary_keys: ["id"],
            write_strategy: "upsert",
            custom_config: { watermark_column: "updated_at" },
          },
        ],
      },
      environment,
    });
    let id = 1;
    const run = async () => {
      const params = { job_id: connector.workflow_id ?? "" };
      const started = await server.client.runJob({ params });
      const { status, error } = await endedRun(server.client, started.id);
      assert.deepEqual([status, error], ["succeeded", null]);
    };
    const next = async () => {
      id += 1;
      source.exec(
        `INSERT INTO orders (id, name, amount, updated_at) VALUES (${id}, 'n${id}', ${id}.25, '2026-01-01 00:00:0${id}')`,
      );
      await run();
      assert.deepEqual(await rows("SELECT count(*), max(id) FROM orders"), [[id, id]]);
    };
    await run();
    assert.deepEqual(await columns(), [
      "id BIGINT",
      "name STRING",
      "amount DECIMAL(12,2)",
      "updated_at TIMESTAMP_NTZ",
      "old STRING",
    ]);

    await alter({ change: "set_type", column: "amount", type: "decimal(14,2)" });
    await next();
    await alter({ change: "move", column: "amount", after: null });
    await next();
    assert.deepEqual((await columns())?.slice(0, 2), ["amount DECIMAL(14,2)", "id BIGINT"]);
    assert.deepEqual(await rows("SELECT id, amount FROM orders ORDER BY id"), [
      [1, "1.25"],
      [2, "2.25"],
      [3, "3.25"],
    ]);
    const drop: Change = { change: "drop", column: "old" };
    await refused(alter(drop), 409, /adds old again/);
    await alter(drop, true);
    assert.equal((await columns())?.length, 4);
    source.exec("ALTER TABLE orders DROP COLUMN old");
    await next();
    assert.equal((await columns())?.length, 4);

    await refused(alter({ change: "set_type", column: "name", type: "INT" }, true), 409, /Delta only widens/);
    await refused(
      alter({ change: "set_type", column: "id", type: "STRING" }, true),
      409,
      /Delta only widens/,
    );
    await refused(alter({ change: "rename", column: "name", name: "x" }, true), 409, /by the name/);
    await refused(alter({ change: "drop", column: "id" }, true), 409, /cannot be dropped/);
    await refused(
      server.client.alterTable({ body: { table: "orders", changes: [drop, drop] }, environment }),
      409,
      /one change at a time/,
    );
    await server.client.deleteConnector({ params: { connector_id: connector.id } });
    await alter({ change: "rename", column: "name", name: "the `name`" }, true);
    assert.deepEqual(await rows("SELECT `the ``name``` FROM orders WHERE id = 1"), [["a"]]);
  });
});

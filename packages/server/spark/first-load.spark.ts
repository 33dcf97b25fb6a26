/** First loads from PostgreSQL on a real Spark Connect server: rows are staged as they are read. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { transferThroughCrashes } from "@lakehelm/engine/testing";
import { onlyNightly } from "@lakehelm/testing/nightly";
import pg from "pg";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

suite("first loads on Spark", () => {
  let folder: string;
  let staging: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let database: pg.Client;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-first-load-"));
    staging = join(folder, "staging");
    await mkdir(staging);
    database = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
    await database.connect();
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, staging };
    const body = { name: "cluster", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
  });
  after(async () => {
    await database?.end();
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const connection = () => {
    const { hostname, port, pathname, username, password } = new URL(process.env.TEST_POSTGRES_URL ?? "");
    const [user, secret] = [username, password].map(decodeURIComponent);
    const config = {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      user,
      password: secret,
    };
    return { name: "shop", type: "postgresql", config };
  };

  /** A table with this number of rows, and a connector that reads it. */
  async function shopOf(rows: number, keys: readonly string[] = ["id"]) {
    const table = unique("orders").replace("-", "_");
    await database.query(
      `CREATE TABLE ${table} (id int PRIMARY KEY, part text, price numeric(12,2), details jsonb, updated_at timestamptz);
       INSERT INTO ${table} SELECT n, 'part ' || n, n * 1.25, jsonb_build_object('n', n), timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'
       FROM generate_series(1, ${rows}) AS n`,
    );
    const { workflow_id, error_message } = await server.client.createConnector({
      body: {
        ...{ name: unique("connector"), execution_mode: "manual", created_by: "ada" },
        target_type: "warehouse",
        target_config: { connection: connection() },
        datasets: [
          {
            ...{ source_dataset: table, target_name: table, primary_keys: [...keys] },
            custom_config: { watermark_column: "updated_at", max_reject_share: 0.5 },
          },
        ],
      },
      environment,
    });
    assert.equal(error_message, null);
    return {
      table,
      async run() {
        const { id } = await server.client.runJob({ params: { job_id: workflow_id ?? "" } });
        const { status, error, metrics } = await endedRun(server.client, id);
        assert.deepEqual([status, error], ["succeeded", null]);
        const { rows_read, rows_inserted, rows_updated, rows_rejected } = metrics;
        return [rows_read, rows_inserted, rows_updated, rows_rejected];
      },
    };
  }

  const contentOf = (table: string) =>
    queryRows(
      server.client,
      environment,
      `SELECT count(*), count(DISTINCT id), sum(price), max(part), sum(get_json_object(details, '$.n')), max(updated_at) FROM main.shop.${table}`,
    );

  test("all rows arrive with their watermark, and the next run reads from there", async () => {
    const shop = await shopOf(40_000);
    assert.deepEqual(await shop.run(), [40_000, 40_000, 0, 0]);
    const first = await contentOf(shop.table);
    assert.deepEqual(first[0]?.slice(0, 4), [40_000, 40_000, "1000025000.00", "part 9999"]);
    assert.equal(Number(first[0]?.[4]), 800_020_000);
    await database.query(
      `UPDATE ${shop.table} SET price = 0, updated_at = '2027-01-01 00:00:00+00' WHERE id = 1`,
    );
    assert.deepEqual(await shop.run(), [2, 0, 1, 0]);
  });

  test("a row without a key beside the primary key is rejected, the others arrive", onlyNightly, async () => {
    const shop = await shopOf(10, ["id", "part"]);
    await database.query(`UPDATE ${shop.table} SET part = NULL WHERE id = 3`);
    assert.deepEqual(await shop.run(), [10, 9, 0, 1]);
    assert.equal((await contentOf(shop.table))[0]?.[0], 9);
  });

  test("a table without rows is created", onlyNightly, async () => {
    const shop = await shopOf(0);
    assert.deepEqual(await shop.run(), [0, 0, 0, 0]);
    assert.equal((await contentOf(shop.table))[0]?.[0], 0);
  });

  test("an engine that is killed at any step loads every row once", onlyNightly, async () => {
    const { table } = await shopOf(3_000);
    const [host = "", port] = String(spark.configuration.remote).replace("sc://", "").split(":");
    const at = ["read", "staged", "written", "checkpointed", "recorded"] as const;
    const { killed } = await transferThroughCrashes({
      folder: join(folder, "warehouse"),
      at,
      request: {
        scope: { environment: "crashing", catalog: "main", schema: "shop" },
        ...{ run: "run", connector: "shop", direction: "in" },
        connection: connection(),
        dataset: {
          ...{ id: table, source: table, target: table, keys: ["id"], strategy: "upsert" },
          ...{ watermark: "updated_at", leftOut: [], maxRejectShare: 0, deletes: false, maxDeleteShare: 1 },
          onMissingColumn: "keep",
        },
        cluster: { host, port: Number(port), tls: false, token: spark.token, staging: { path: staging } },
        retryRejects: false,
      },
      between: async () => {},
    });
    assert.deepEqual(killed, at);
    assert.deepEqual((await contentOf(table))[0]?.slice(0, 2), [3_000, 3_000]);
  });
});

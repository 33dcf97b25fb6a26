/**
 * Connectors on a real Spark Connect server that read the log of PostgreSQL: tables with and without keys, and crashes.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import {
  capturedTables,
  captureRequest,
  changeCapturedTables,
  createCapturedTables,
  requestThroughCrashes,
  seededRandom,
  startLogServer,
} from "@lakehelm/engine/testing";
import { startTestServer, type TestServer } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

suite("the log of PostgreSQL on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-capture-"));
    await mkdir(join(folder, "staging"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, staging: join(folder, "staging") };
    const created = await server.client.createEnvironment({
      body: { name: "cluster", platform: "spark", configuration },
    });
    environment = created.id;
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const texts = (rows: readonly unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();

  test("new, changed, deleted and truncated rows follow the source", async (t) => {
    const { client, connection } = await startLogServer(t);
    await client.query(`CREATE TABLE people (id int PRIMARY KEY, name text, born date, seen timestamptz, extra jsonb, token uuid, tags text[], long text);
      ALTER TABLE people ALTER long SET STORAGE EXTERNAL;
      INSERT INTO people VALUES (1, 'Ada', '1815-12-10', '2026-01-01 10:00+00', '{"a": 1}', '9f7d2c5e-0b51-4a7e-8d0a-111111111111', '{x,y}', repeat('l', 5000)),
        (2, 'Bob', NULL, NULL, NULL, NULL, NULL, NULL)`);
    const connector = await server.client.createConnector({
      body: {
        ...{ name: "people", execution_mode: "manual", created_by: "ada", target_type: "warehouse" },
        target_config: { connection: { name: "crm", ...connection } },
        datasets: [{ source_dataset: "people", target_name: "people" }],
      },
      environment,
    });
    assert.equal(connector.error_message, null);
    const run = async () => {
      const { id } = await server.client.runJob({ params: { job_id: connector.workflow_id ?? "" } });
      const { status, error, metrics } = await endedRun(server.client, id);
      assert.deepEqual([status, error], ["succeeded", null]);
      return [metrics.rows_inserted, metrics.rows_updated, metrics.rows_deleted];
    };
    const people = () =>
      queryRows(
        server.client,
        environment,
        "SELECT id, name, born, date_format(seen, 'HH:mm'), extra, token, tags, length(long) FROM main.shop.people ORDER BY id",
      );
    assert.deepEqual(await run(), [2, 0, 0]);
    const ada = [1, "Ada", "1815-12-10", "10:00", '{"a": 1}', "9f7d2c5e-0b51-4a7e-8d0a-111111111111"];
    const bob = [2, "Bob", null, null, null, null, null, null];
    assert.deepEqual(await people(), [[...ada, ["x", "y"], 5000], bob]);
    assert.deepEqual(await run(), [0, 0, 0]);

    await client.query(`UPDATE people SET id = 3, name = 'Ada L.' WHERE id = 1; DELETE FROM people WHERE id = 2;
      INSERT INTO people (id, name, tags) VALUES (4, 'Cem', '{z}'); ALTER TABLE people ADD nick text; UPDATE people SET nick = 'C' WHERE id = 4`);
    assert.deepEqual(await run(), [2, 0, 2]);
    const moved = [3, "Ada L.", ...ada.slice(2), ["x", "y"], 5000];
    assert.deepEqual(await people(), [moved, [4, "Cem", null, null, null, null, ["z"], null]]);
    assert.deepEqual(
      await queryRows(server.client, environment, "SELECT id, nick FROM main.shop.people ORDER BY id"),
      [
        [3, null],
        [4, "C"],
      ],
    );

    await client.query("TRUNCATE people; INSERT INTO people (id, name) VALUES (5, 'Dan')");
    assert.deepEqual(await run(), [1, 0, 2]);
    assert.deepEqual(await people(), [[5, "Dan", ...bob.slice(2)]]);
    await server.client.deleteConnector({ params: { connector_id: connector.id } });
    const { rows } = await client.query("SELECT slot_name FROM pg_replication_slots");
    assert.deepEqual(rows, []);
  });

  test("a capture that is killed on its way loses and doubles nothing", async (t) => {
    const { client, connection } = await startLogServer(t);
    await createCapturedTables(client);
    const random = seededRandom(3);
    const change = () => changeCapturedTables(client, random);
    const [host = "", port] = String(spark.configuration.remote).replace("sc://", "").split(":");
    const cluster = { host, port: Number(port), tls: false, token: spark.token };
    const request = () =>
      captureRequest(
        connection,
        capturedTables.map((source) => ({ source })),
        {
          scope: { environment: "crashing", catalog: "main", schema: "captured" },
          cluster: { ...cluster, staging: { path: join(folder, "staging") } },
        },
      );
    const expectSame = async () => {
      for (const table of capturedTables) {
        const { rows } = await client.query({ text: `SELECT * FROM ${table}`, rowMode: "array" });
        const found = await queryRows(server.client, environment, `SELECT * FROM main.captured.${table}`);
        assert.deepEqual(texts(found), texts(rows), table);
      }
    };
    const points = ["staged", "written", "checkpointed"] as const;
    for (const at of [points, [...points, "committed"], []] as const) {
      await change();
      const { killed } = await requestThroughCrashes<unknown, string>(
        { folder: join(folder, "warehouse"), at, between: change },
        (engine) => engine.request("capture", request()),
      );
      assert.deepEqual(killed, at);
      await expectSame();
    }
  });
});

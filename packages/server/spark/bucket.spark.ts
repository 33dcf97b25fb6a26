/** Connectors on a real Spark Connect server that stage their rows in a bucket of a real S3 server. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { startS3, type TestS3, transferThroughCrashes, withoutS3 } from "@lakehelm/engine/testing";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { startConnectServerWith } from "./bucket.ts";
import type { ConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

const ends: (() => Promise<void>)[] = [];
const s3 = await startS3((end) => ends.push(end));
after(async () => {
  for (const end of ends) await end();
});

suite("staging in a bucket on Spark", { skip: s3 ? false : withoutS3 }, () => {
  const { config, endpoint, keys, createBucket } = s3 as TestS3;
  const { access_key_id = "", secret_access_key = "" } = config;
  const staging = "s3://staging/rows";
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let source: DatabaseSync;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-bucket-"));
    source = new DatabaseSync(join(folder, "shop.db"));
    await createBucket("staging");
    spark = await startConnectServerWith(s3 as TestS3, "staging");
    server = await startTestServer({ settings: patient });
  });
  after(async () => {
    source?.close();
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function environmentWith(options: object, path = staging): Promise<string> {
    const { id } = await server.client.createEnvironment({
      body: {
        name: unique("cluster"),
        platform: "spark",
        configuration: {
          ...{ ...spark.configuration, token: spark.token },
          ...{ staging: path, staging_options: options },
        },
      },
    });
    return id;
  }

  const findingOf = async (environment: string) => {
    const { findings } = await server.client.checkEnvironment({ params: { environment_id: environment } });
    return findings.find(({ name }) => name === "staging");
  };

  /** An environment whose bucket key is one of its secrets. */
  async function withSecret(): Promise<string> {
    const environment = await environmentWith({
      ...{ endpoint, access_key_id },
      secret_access_key: "{{secrets/lakehelm/staging}}",
    });
    await server.client.putSecret({
      params: { scope: "lakehelm", key: "staging" },
      body: { value: secret_access_key },
      environment,
    });
    return environment;
  }

  const connection = () => ({ name: "shop", type: "sqlite", config: { path: join(folder, "shop.db") } });

  function newTable(): string {
    const table = unique("orders").replace("-", "_");
    source.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO ${table} VALUES (1, 'one'), (2, 'two')`);
    return table;
  }

  test("rows go in and out through the bucket, and nothing is left there", async () => {
    const environment = await withSecret();
    const table = newTable();
    const dataset = { primary_keys: ["id"], write_strategy: "upsert" as const };
    const named = () => ({ name: unique("connector"), execution_mode: "manual" as const, created_by: "ada" });
    const incoming = await server.client.createConnector({
      body: {
        ...{ ...named(), target_type: "warehouse", target_config: { connection: connection() } },
        datasets: [{ ...dataset, source_dataset: table, target_name: table }],
      },
      environment,
    });
    const outgoing = await server.client.createConnector({
      body: {
        ...{ ...named(), target_type: "sqlite", target_config: { path: join(folder, "shop.db") } },
        datasets: [{ ...dataset, source_dataset: `main.shop.${table}`, target_name: `${table}_out` }],
      },
      environment,
    });
    const run = async ({ workflow_id }: { readonly workflow_id?: string | null }) => {
      const { id } = await server.client.runJob({ params: { job_id: workflow_id ?? "" } });
      const { status, error, metrics } = await endedRun(server.client, id);
      assert.deepEqual([status, error], ["succeeded", null]);
      return [metrics.rows_inserted, metrics.rows_updated];
    };
    assert.deepEqual(await run(incoming), [2, 0]);
    assert.deepEqual(await run(outgoing), [2, 0]);
    source.exec(`UPDATE ${table} SET name = 'TWO' WHERE id = 2; INSERT INTO ${table} VALUES (3, NULL)`);
    assert.deepEqual(await run(incoming), [1, 1]);
    assert.deepEqual(await run(outgoing), [1, 1]);
    const expected = [
      [1, "one"],
      [2, "TWO"],
      [3, null],
    ];
    assert.deepEqual(
      await queryRows(server.client, environment, `SELECT id, name FROM main.shop.${table} ORDER BY id`),
      expected,
    );
    const sent = source.prepare(`SELECT id, name FROM ${table}_out ORDER BY id`).all();
    assert.deepEqual(
      sent.map(({ id, name }) => [id, name]),
      expected,
    );
    assert.deepEqual(await keys("staging"), []);
  });

  test("an engine that is killed at any step leaves no rows twice, and its objects are removed", async () => {
    const environment = await withSecret();
    const table = newTable();
    const [host = "", port] = String(spark.configuration.remote).replace("sc://", "").split(":");
    const at = ["staged", "written"] as const;
    let next = 3;
    const { killed } = await transferThroughCrashes({
      folder: join(folder, "warehouse"),
      at,
      request: {
        scope: { environment: "crashing", catalog: "main", schema: "shop" },
        ...{ run: "run", connector: "shop", direction: "in" },
        connection: connection(),
        dataset: {
          ...{ id: table, source: table, target: table, keys: ["id"], strategy: "append" },
          ...{ watermark: "id", leftOut: [], maxRejectShare: 0, deletes: false, maxDeleteShare: 1 },
          onMissingColumn: "keep",
        },
        cluster: {
          ...{ host, port: Number(port), tls: false, token: spark.token },
          staging: { ...config, path: staging },
        },
        retryRejects: false,
      },
      between: async () => void source.exec(`INSERT INTO ${table} VALUES (${next++}, 'between')`),
    });
    assert.deepEqual(killed, at);
    assert.deepEqual(
      await queryRows(server.client, environment, `SELECT id FROM main.shop.${table} ORDER BY id`),
      source
        .prepare(`SELECT id FROM ${table} ORDER BY id`)
        .all()
        .map(({ id }) => [id]),
    );
    assert.deepEqual(await keys("staging"), []);
  });

  test("the check sends a file there and back, and says what is wrong", async () => {
    const ok = await findingOf(await withSecret());
    assert.deepEqual([ok?.status, ok?.message.includes(staging)], ["ok", true]);
    const sentence = async (options: object, path?: string) => {
      const found = await findingOf(await environmentWith(options, path));
      assert.equal(found?.status, "failed");
      return `${found?.message} ${found?.action}`;
    };
    const keysOnly = { endpoint, access_key_id, secret_access_key };
    assert.match(await sentence({ ...keysOnly, secret_access_key: "wrong" }), /Check secret_access_key/);
    assert.match(
      await sentence({ ...keysOnly, secret_access_key: "{{secrets/lakehelm/none}}" }),
      /has no secret lakehelm\/none/,
    );
    assert.match(await sentence({ endpoint }), /without credentials/);
    assert.match(await sentence(keysOnly, "s3://no-such-bucket/rows"), /there is no bucket/);
    assert.match(await sentence({ ...keysOnly, acess_key_id: "x" }), /access_key_id/);
    assert.deepEqual(await keys("staging"), []);
  });
});

/** Connectors of an environment on a real Spark Connect server: every strategy, triggers, and crashes at every step. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { transferThroughCrashes } from "@lakehelm/engine/testing";
import { isNightly, onlyNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { resourcesOf } from "../src/runtime/platforms/capabilities.ts";
import { resourceConformance } from "../src/runtime/platforms/conformance/resources.ts";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";

const crashPoints = ["read", "staged", "written", "checkpointed", "recorded"] as const;

suite("connectors on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let source: DatabaseSync;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-connectors-"));
    await mkdir(join(folder, "staging"));
    source = new DatabaseSync(join(folder, "shop.db"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: { ...patient, PLATFORM_TABLE_LOOK_SECONDS: "1" } });
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

  const connection = () => ({
    name: "shop",
    type: "sqlite",
    config: { path: join(folder, "shop.db") },
  });

  /** A table of the source with rows, and a connector that reads it. */
  async function shopOf(dataset: object, more: object = {}) {
    const table = unique("orders").replace("-", "_");
    source.exec(
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT, amount NUMERIC(12,2), updated_at TIMESTAMP)`,
    );
    const connector = await server.client.createConnector({
      body: {
        name: unique("connector"),
        execution_mode: "manual",
        created_by: "ada",
        target_type: "warehouse",
        target_config: { connection: connection() },
        datasets: [{ source_dataset: table, target_name: table, ...dataset }],
        ...more,
      },
      environment,
    });
    assert.equal(connector.error_message, null);
    const job = { job_id: connector.workflow_id ?? "" };
    return {
      table,
      id: connector.id,
      put(...rows: readonly (readonly [id: number, name: string | null, second: number])[]) {
        for (const [id, name, second] of rows) {
          const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second))
            .toISOString()
            .slice(0, 19)
            .replace("T", " ");
          source.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`).run(id, name, id * 1.25, at);
        }
      },
      remove: (id: number) => source.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id),
      run: async (parameters?: Record<string, unknown>) =>
        ended(await server.client.runJob({ params: job, ...(parameters && { body: { parameters } }) })),
      runs: async () => (await server.client.listRunsOfJob({ params: job })).runs,
      names: async () =>
        (await query(`SELECT id, name FROM main.shop.${table} ORDER BY id, name`)) as [number, string][],
      watermark: async () =>
        (await server.client.getConnector({ params: { connector_id: connector.id } })).datasets?.[0]
          ?.current_watermark,
    };
  }

  const ended = ({ id }: Pick<Run, "id">): Promise<Run> => endedRun(server.client, id);

  const query = (sql: string) => queryRows(server.client, environment, sql);

  const counts = ({ status, error, metrics }: Run) => {
    assert.deepEqual([status, error], ["succeeded", null]);
    return [metrics.rows_read, metrics.rows_inserted, metrics.rows_updated, metrics.rows_deleted];
  };

  const upsert = {
    primary_keys: ["id"],
    write_strategy: "upsert" as const,
    custom_config: { watermark_column: "updated_at" },
  };

  test("an upsert writes new and changed rows with the watermark, and nothing a second time", async () => {
    const shop = await shopOf(upsert);
    shop.put([1, "a", 1], [2, "b", 2]);
    assert.deepEqual(counts(await shop.run()), [2, 2, 0, 0]);
    assert.equal(await shop.watermark(), "2026-01-01 00:00:02");
    assert.deepEqual(counts(await shop.run()), [1, 0, 0, 0]);
    shop.put([2, "B", 3], [3, null, 3]);
    assert.deepEqual(counts(await shop.run()), [2, 1, 1, 0]);
    assert.deepEqual(await shop.names(), [
      [1, "a"],
      [2, "B"],
      [3, null],
    ]);
    assert.deepEqual(await readdir(join(folder, "staging", `lakehelm-${environment}`)).then(filesIn), []);
  });

  test(
    "types that widen widen the columns; others fail with a command, and a full refresh changes them",
    onlyNightly,
    async () => {
      const shop = await shopOf({ primary_keys: ["id"], custom_config: { watermark_column: "updated_at" } });
      const retype = (columns: string, row: string) =>
        source.exec(`CREATE TABLE next (id INTEGER PRIMARY KEY, updated_at TIMESTAMP, ${columns}); INSERT INTO next SELECT * FROM ${shop.table};
        DROP TABLE ${shop.table}; ALTER TABLE next RENAME TO ${shop.table}; INSERT INTO ${shop.table} VALUES (${row})`);
      source.exec(
        `DROP TABLE ${shop.table}; CREATE TABLE ${shop.table} (id INTEGER PRIMARY KEY, updated_at TIMESTAMP, a SMALLINT, b DECIMAL(5,2), c DATE, d SMALLINT, e DECIMAL(4,1))`,
      );
      source.exec(
        `INSERT INTO ${shop.table} VALUES (1, '2026-01-01 00:00:01', 5, '1.25', '2026-01-02', 7, '12')`,
      );
      assert.deepEqual(counts(await shop.run()), [1, 1, 0, 0]);
      retype(
        "a BIGINT, b DECIMAL(9,4), c TIMESTAMP, d DECIMAL(6,1), e DECIMAL(4,1)",
        "2, '2026-01-01 00:00:02', 7000000000, '12345.1234', '2026-01-03 10:00:00', '12345.5', '13'",
      );
      const widened = await shop.run();
      assert.deepEqual(counts(widened).slice(1), [1, 0, 0]);
      const [{ schema_changes } = {}] = widened.metrics.datasets as {
        schema_changes?: { change: string }[];
      }[];
      assert.deepEqual(
        schema_changes?.map(({ change }) => change),
        ["column_widened", "column_widened", "column_widened"],
      );
      const values =
        "id, CAST(a AS STRING), CAST(b AS STRING), CAST(c AS STRING), CAST(d AS STRING), CAST(e AS STRING)";
      const rows = () => query(`SELECT ${values} FROM main.shop.${shop.table} ORDER BY id`);
      assert.deepEqual(await rows(), [
        [1, "5", "1.2500", "2026-01-02 00:00:00", "7.0", "12.0"],
        [2, "7000000000", "12345.1234", "2026-01-03 10:00:00", "12345.5", "13.0"],
      ]);
      retype(
        "a BIGINT, b DECIMAL(9,4), c TIMESTAMP, d DECIMAL(6,1), e TEXT",
        "3, '2026-01-01 00:00:03', 1, '1', '2026-01-03', '1', 'x'",
      );
      const refused = await shop.run();
      assert.equal(refused.status, "failed");
      assert.ok(
        refused.error?.includes(
          `'parameters.datasets=["main.shop.${shop.table}"]' --set parameters.full_refresh=true`,
        ) ||
          refused.error?.includes(
            `'parameters.datasets=["${shop.table}"]' --set parameters.full_refresh=true`,
          ),
        refused.error ?? "",
      );
      counts(await shop.run({ full_refresh: true }));
      assert.deepEqual(
        await query(
          `SELECT id, CAST(e AS STRING), CAST(a AS STRING) FROM main.shop.${shop.table} ORDER BY id`,
        ),
        [
          [1, "12", "5"],
          [2, "13", "7000000000"],
          [3, "x", "1"],
        ],
      );
      assert.equal(counts(await shop.run())[1], 0, "the new table is known");
      assert.equal(await shop.watermark(), "2026-01-01 00:00:03");
    },
  );

  const filesIn = async (streams: readonly string[]) =>
    (
      await Promise.all(
        streams.map((one) => readdir(join(folder, "staging", `lakehelm-${environment}`, one))),
      )
    ).flat();

  test("rows below the watermark are read again with a lag, and written once", onlyNightly, async () => {
    const custom_config = { watermark_column: "updated_at", watermark_lag: 2 };
    const appended = await shopOf({ ...upsert, write_strategy: "append", custom_config });
    const upserted = await shopOf({ ...upsert, custom_config });
    for (const shop of [appended, upserted]) {
      shop.put([1, "a", 1], [2, "b", 4]);
      assert.deepEqual(counts(await shop.run()), [2, 2, 0, 0]);
      shop.put([3, "late", 2], [4, "too late", 1]);
      assert.deepEqual(counts(await shop.run()), [2, 1, 0, 0]);
      assert.deepEqual(await shop.names(), [
        [1, "a"],
        [2, "b"],
        [3, "late"],
      ]);
    }
    assert.deepEqual(counts(await upserted.run()), [2, 0, 0, 0]);
  });

  test("a snapshot replaces all rows, finds deleted ones, and follows new columns", onlyNightly, async () => {
    const shop = await shopOf({ write_strategy: "replace" });
    shop.put([1, "a", 1], [2, "b", 2]);
    assert.deepEqual(counts(await shop.run()), [2, 2, 0, 0]);
    assert.deepEqual(counts(await shop.run()), [2, 0, 0, 0]);
    shop.remove(1);
    source.exec(`ALTER TABLE ${shop.table} ADD COLUMN note TEXT`);
    source.exec(`UPDATE ${shop.table} SET note = 'n'`);
    assert.deepEqual(counts(await shop.run()), [1, 1, 0, 2]);
    assert.deepEqual(await query(`SELECT id, note FROM main.shop.${shop.table}`), [[2, "n"]]);
  });

  test("a window of a run is replaced", onlyNightly, async () => {
    const shop = await shopOf({
      write_strategy: "append",
      custom_config: { watermark_column: "updated_at" },
    });
    shop.put([1, "a", 1], [2, "b", 2], [3, "c", 3]);
    assert.deepEqual(counts(await shop.run()), [3, 3, 0, 0]);
    shop.put([2, "B", 2], [4, "d", 3]);
    assert.deepEqual(counts(await shop.run()), [2, 1, 0, 0]);
    const window = { from: "2026-01-01 00:00:02", to: "2026-01-01 00:00:03" };
    assert.deepEqual(counts(await shop.run({ window })), [1, 1, 0, 1]);
    assert.deepEqual(await shop.names(), [
      [1, "a"],
      [2, "B"],
      [3, "c"],
      [4, "d"],
    ]);
  });

  test("a reset reads all rows again and keeps others; a full refresh also removes rows", async () => {
    const shop = await shopOf(upsert);
    shop.put([1, "a", 1], [2, "b", 2], [3, "c", 3]);
    await shop.run();
    shop.remove(3);
    shop.put([1, "A", 1]);
    assert.deepEqual(counts(await shop.run({ reset_watermark: true })), [2, 0, 1, 0]);
    assert.equal(await shop.watermark(), "2026-01-01 00:00:02");
    assert.equal((await shop.names()).length, 3);
    assert.deepEqual(counts(await shop.run({ full_refresh: true })), [2, 0, 0, 1]);
    assert.deepEqual(await shop.names(), [
      [1, "A"],
      [2, "b"],
    ]);
  });

  test("a live connector follows its source until it is paused", onlyNightly, async () => {
    const shop = await shopOf(upsert, { execution_mode: "live" });
    shop.put([1, "a", 1]);
    await until(async () => (await shop.watermark()) === "2026-01-01 00:00:01", 200, 400_000);
    shop.put([2, "b", 2]);
    await until(async () => (await shop.watermark()) === "2026-01-01 00:00:02", 200, 400_000);
    await server.client.pauseConnector({ params: { connector_id: shop.id }, body: {} });
    for (const run of await shop.runs()) assert.equal((await ended(run)).status, "succeeded");
    assert.deepEqual(await shop.names(), [
      [1, "a"],
      [2, "b"],
    ]);
  });

  test("new files start a run, and are read once", onlyNightly, async () => {
    const [files, table] = [join(folder, unique("files")), unique("arrived").replace("-", "_")];
    await mkdir(join(files, "orders"), { recursive: true });
    const connector = await server.client.createConnector({
      body: {
        ...{ name: unique("files"), execution_mode: "file_arrival", created_by: "ada" },
        target_type: "warehouse",
        target_config: {
          connection: { name: "files", type: "files", config: { path: files, format: "csv" } },
        },
        file_arrival_config: { wait_after_last_change_seconds: 0 },
        datasets: [
          {
            ...{ source_dataset: "orders", target_name: table, write_strategy: "append" },
            watermark_column: "_file_modified",
          },
        ],
      },
      environment,
    });
    assert.equal(connector.error_message, null);
    const job = { job_id: connector.workflow_id ?? "" };
    for (const [nth, name] of ["a", "b"].entries()) {
      await writeFile(join(files, "orders", `${name}.csv`), `id,name\n${nth},${name}\n`);
      const runs = await until(
        async () => {
          const found = (await server.client.listRunsOfJob({ params: job })).runs;
          return found.length > nth && found;
        },
        200,
        400_000,
      );
      for (const run of runs) assert.equal((await ended(run)).status, "succeeded");
    }
    assert.deepEqual(await query(`SELECT id, name FROM main.shop.${table} ORDER BY id`), [
      [0, "a"],
      [1, "b"],
    ]);
  });

  test("a table_update trigger follows the versions of Delta tables", onlyNightly, async () => {
    const first = await shopOf(upsert);
    first.put([1, "a", 1]);
    await first.run();
    const second = await shopOf(upsert, {
      execution_mode: "table_update",
      table_update_config: { table_names: [`main.shop.${first.table}`] },
    });
    second.put([9, "z", 1]);
    first.put([2, "b", 2]);
    await first.run();
    const [run] = await until(async () => {
      const runs = await second.runs();
      return runs.length > 0 && runs;
    });
    assert.ok(run);
    assert.deepEqual(counts(await ended(run)), [1, 1, 0, 0]);
    assert.deepEqual(run.cause.tables, [`main.shop.${first.table}`]);
  });

  test("a preview shows what the run then does, with rows that were deleted or added below the watermark", async () => {
    const shop = await shopOf({
      ...upsert,
      custom_config: { watermark_column: "updated_at", deletes: true },
    });
    const preview = async () => {
      const { datasets } = await server.client.previewConnector({
        params: { connector_id: shop.id },
        timeoutMs: 240_000,
      });
      const [found] = datasets;
      assert.ok(found);
      return found;
    };
    shop.put([1, "a", 1], [2, "b", 2], [3, "c", 3]);
    const first = await preview();
    assert.deepEqual([first.insert, first.schema], [3, [`create the table main.shop.${shop.table}`]]);
    assert.deepEqual(counts(await shop.run()), [3, 3, 0, 0]);
    shop.remove(1);
    shop.put([2, "B", 4], [4, "late", 1]);
    const { insert, update, delete: removed, schema, warnings } = await preview();
    assert.deepEqual([insert, update, removed, schema, warnings], [1, 1, 1, [], []]);
    assert.deepEqual(counts(await shop.run()), [3, 1, 1, 1]);
    assert.deepEqual(await shop.names(), [
      [2, "B"],
      [3, "c"],
      [4, "late"],
    ]);
  });

  const transferOf = (table: string) => {
    const [host = "", port] = String(spark.configuration.remote).replace("sc://", "").split(":");
    return {
      scope: { environment: "crashing", catalog: "main", schema: "shop" },
      direction: "in" as const,
      connector: "shop",
      connection: connection(),
      dataset: {
        ...{ id: table, source: table, target: table, keys: [], strategy: "append" as const },
        ...{ watermark: "updated_at", leftOut: [], maxRejectShare: 0, deletes: false, maxDeleteShare: 1 },
        onMissingColumn: "keep" as const,
        watermarkLag: 2,
      },
      run: "run",
      retryRejects: false,
      cluster: {
        host,
        port: Number(port),
        tls: false,
        token: spark.token,
        staging: { path: join(folder, "staging") },
      },
    };
  };

  test("an engine that is killed at any step appends every row once, while rows keep coming", async () => {
    const shop = await shopOf({ write_strategy: "append" });
    shop.put([1, "a", 1]);
    const at = isNightly ? crashPoints : (["written"] as const);
    let next = 2;
    const { killed } = await transferThroughCrashes({
      folder: join(folder, "warehouse"),
      request: transferOf(shop.table),
      at,
      async between() {
        // Every second row is below the watermark, as if its transaction had committed late.
        shop.put([next, "between", Math.floor(next / 2) + (next % 2) * 2]);
        next += 1;
      },
    });
    assert.deepEqual(killed, at);
    const expected = source.prepare(`SELECT id, name FROM ${shop.table} ORDER BY id`).all();
    assert.deepEqual(
      await shop.names(),
      expected.map(({ id, name }) => [id, name]),
    );
  });

  test("rows of a table go to another system, and only those that changed", async () => {
    const shop = await shopOf(upsert);
    shop.put([1, "a", 1], [2, "b", 2]);
    await shop.run();
    const connector = await server.client.createConnector({
      body: {
        name: unique("out"),
        execution_mode: "manual",
        created_by: "ada",
        target_type: "sqlite",
        target_config: { path: join(folder, "shop.db") },
        datasets: [
          { ...upsert, source_dataset: `main.shop.${shop.table}`, target_name: `${shop.table}_out` },
        ],
      },
      environment,
    });
    assert.equal(connector.error_message, null);
    const params = { connector_id: connector.id };
    const { findings } = await server.client.checkConnector({ params });
    assert.ok(findings.every(({ ok }) => ok) && findings.length > 1, JSON.stringify(findings));
    const run = async () => {
      const done = await ended(
        await server.client.runJob({ params: { job_id: connector.workflow_id ?? "" } }),
      );
      const { lines } = await server.client.readRunLog({ params: { run_id: done.id } });
      const copied = lines.flatMap(({ line }) => /(\d+) rows copied/.exec(line)?.[1] ?? []);
      return [...copied.map(Number), ...counts(done)];
    };
    assert.deepEqual(await run(), [2, 2, 2, 0, 0]);
    shop.put([2, "B", 3], [3, null, 3]);
    await shop.run();
    const [copied, , inserted, updated] = await run();
    assert.deepEqual([copied, inserted, updated], [2, 1, 1], "one of three rows is below the watermark");
    const sent = source.prepare(`SELECT id, name FROM ${shop.table}_out ORDER BY id`).all();
    assert.deepEqual(
      sent.map(({ id, name }) => [id, name]),
      [
        [1, "a"],
        [2, "B"],
        [3, null],
      ],
    );
  });

  test("the check says whether the cluster sees the folder for staging", async () => {
    const staging = async (path: string) => {
      const configuration = { ...spark.configuration, token: spark.token, staging: path };
      const body = { name: unique("staging"), platform: "spark", configuration };
      const { id } = await server.client.createEnvironment({ body });
      const { findings } = await server.client.checkEnvironment({ params: { environment_id: id } });
      return findings.find(({ name }) => name === "staging");
    };
    assert.equal((await staging(join(folder, "staging")))?.status, "ok");
    assert.match((await staging(join(folder, "nothing")))?.message ?? "", /nothing: there is no such folder/);
    assert.match((await staging("/etc"))?.message ?? "", /connectors may use only these folders/);
  });

  resourceConformance({
    name: "spark",
    resources: resourcesOf.spark,
    async open() {
      const table = unique("conformance").replace("-", "_");
      source.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY)`);
      return {
        client: server.client,
        environment,
        connector: {
          target_type: "warehouse",
          target_config: { connection: connection() },
          datasets: [{ source_dataset: table, target_name: table, write_strategy: "replace" }],
        },
        close: async () => {},
      };
    },
  });

  // Only nightly: faults.spark.ts kills the Spark Connect server, too.
  test(
    "a Spark Connect server that is killed while it writes is waited for, and nothing is lost or doubled",
    onlyNightly,
    async () => {
      const shop = await shopOf({
        write_strategy: "append",
        custom_config: { watermark_column: "updated_at" },
      });
      shop.put([1, "a", 1]);
      await shop.run();
      for (let id = 2; id <= 500; id += 1) shop.put([id, `row ${id}`, id]);
      const run = await server.client.runJob({
        params: { job_id: (await jobOf(shop.id)) ?? "" },
      });
      await until(async () => {
        const { lines } = await server.client.readRunLog({ params: { run_id: run.id } });
        return lines.some(({ line }) => /writing \d+ rows/.test(line));
      });
      await spark.crash();
      shop.put([501, "late", 501]);
      const { status, error } = await ended(run);
      assert.deepEqual([status, error], ["succeeded", null]);
      await shop.run();
      const rows = await shop.names();
      assert.deepEqual([rows.length, new Set(rows.map(([id]) => id)).size], [501, 501]);
    },
  );

  const jobOf = async (id: string) =>
    (await server.client.getConnector({ params: { connector_id: id } })).workflow_id;
});

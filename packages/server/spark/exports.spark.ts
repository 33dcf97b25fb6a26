/** Exports of tables on a real Spark Connect server: only the rows that a run may send are copied from the cluster. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import type { Run } from "@lakehelm/contract";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

suite("exports on Spark", onlyNightly, () => {
  let folder: string;
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let target: DatabaseSync;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-exports-"));
    await mkdir(join(folder, "staging"));
    target = new DatabaseSync(join(folder, "out.db"));
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token, staging: join(folder, "staging") };
    const body = { name: "cluster", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
  });
  after(async () => {
    target?.close();
    await server?.close();
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function tableOf(columns: string) {
    const name = `main.shop.${unique("orders").replace("-", "_")}`;
    const sql = (...statements: readonly string[]) => runStatements(spark, statements);
    await sql("CREATE SCHEMA IF NOT EXISTS main.shop", `CREATE TABLE ${name} (${columns}) USING delta`);
    return { name, sql, put: (rows: string) => sql(`INSERT INTO ${name} VALUES ${rows}`) };
  }

  /** A connector with a dataset for each table of the target. */
  async function exportOf(datasets: Readonly<Record<string, object>>) {
    const connector = await server.client.createConnector({
      body: {
        ...{ name: unique("out"), execution_mode: "manual", created_by: "ada" },
        target_type: "sqlite",
        target_config: { path: join(folder, "out.db") },
        datasets: Object.entries(datasets).map(([target_name, dataset]) => ({
          ...{ target_name, source_dataset: "", primary_keys: ["id"], write_strategy: "upsert" as const },
          ...dataset,
        })),
      },
      environment,
    });
    assert.equal(connector.error_message, null);
    /** Returns the run, and how many rows were copied for each dataset, in any order. */
    return async (parameters?: Record<string, unknown>): Promise<{ run: Run; copied: number[] }> => {
      const { id } = await server.client.runJob({
        params: { job_id: connector.workflow_id ?? "" },
        ...(parameters && { body: { parameters } }),
      });
      const run = await endedRun(server.client, id);
      assert.deepEqual([run.status, run.error], ["succeeded", null]);
      const { lines } = await server.client.readRunLog({ params: { run_id: id } });
      const copied = lines.flatMap(({ line }) => /(\d+) rows copied/.exec(line)?.[1] ?? []);
      return { run, copied: copied.map(Number) };
    };
  }

  const idsIn = (table: string): unknown[] =>
    target
      .prepare(`SELECT id FROM ${table} ORDER BY id`)
      .all()
      .map(({ id }) => id);

  /** For each type: a value below the watermark, the watermark itself, and a value above it, as Spark writes them. */
  const watermarks: Readonly<Record<string, readonly [below: string, at: string, above: string]>> = {
    SMALLINT: ["9", "10", "11"],
    INT: ["-2147483648", "-1", "2147483647"],
    BIGINT: ["9007199254740992", "9007199254740993", "9223372036854775807"],
    "DECIMAL(38,10)": ["12345678901234567890.0000000001", "12345678901234567890.0000000002", "1e27"],
    FLOAT: ["0.1", "0.2", "CAST('NaN' AS FLOAT)"],
    DOUBLE: ["0.1D", "0.30000000000000004D", "CAST('Infinity' AS DOUBLE)"],
    DATE: ["DATE '1999-12-31'", "DATE '2000-01-01'", "DATE '9999-12-31'"],
    TIMESTAMP: [
      "TIMESTAMP '2026-03-29 01:00:00.000001 UTC'",
      "TIMESTAMP '2026-03-29 03:00:00.000002 Europe/Berlin'",
      "TIMESTAMP '2026-03-29 01:00:00.000003 UTC'",
    ],
    TIMESTAMP_NTZ: [
      "TIMESTAMP_NTZ '2026-03-29 02:30:00.123455'",
      "TIMESTAMP_NTZ '2026-03-29 02:30:00.123456'",
      "TIMESTAMP_NTZ '2026-03-29 02:30:00.123457'",
    ],
    // In UTF-16, the last two values have the opposite order.
    STRING: ["'it\\'s \\\\ é'", "'\uFF5E\\'\\\\'", "'\u{1F4A1}'"],
  };

  test("from the watermark on, the same rows as on the embedded platform, whatever its type", async () => {
    const types = Object.entries(watermarks);
    const table = await tableOf(["id BIGINT", ...types.map(([type], at) => `c${at} ${type}`)].join(", "));
    const rowOf = (id: number, which: 0 | 1 | 2) =>
      `(${[id, ...types.map(([type, values]) => `CAST(${values[which]} AS ${type})`)].join(", ")})`;
    await table.put(rowOf(1, 1));
    const run = await exportOf(
      Object.fromEntries(
        types.map((_, at) => [
          `by_c${at}`,
          { source_dataset: table.name, custom_config: { watermark_column: `c${at}` } },
        ]),
      ),
    );
    assert.deepEqual((await run()).copied, Array(types.length).fill(1));
    await table.put([rowOf(2, 0), rowOf(3, 1), rowOf(4, 2)].join(", "));
    await table.sql(`INSERT INTO ${table.name} (id) VALUES (5)`);
    const { copied } = await run();
    for (const [at, [type]] of types.entries()) assert.deepEqual(idsIn(`by_c${at}`), [1, 3, 4, 5], type);
    assert.deepEqual(copied, Array(types.length).fill(4), "one of five rows is below the watermark");
  });

  test("a window, a lag and a full refresh copy what they send", async () => {
    const table = await tableOf("id BIGINT, name STRING, at TIMESTAMP");
    const rowOf = (id: number, name = "n") => `(${id}, '${name}', timestamp_seconds(${id}))`;
    await table.put(Array.from({ length: 20 }, (_, n) => rowOf(n + 1)).join(", "));
    const custom_config = { watermark_column: "at", watermark_lag: 3 };
    const run = await exportOf({ windowed: { source_dataset: table.name, custom_config } });
    assert.deepEqual((await run()).copied, [20]);
    assert.deepEqual((await run()).copied, [4]);
    await table.sql(`UPDATE ${table.name} SET name = 'changed' WHERE id IN (5, 6, 18)`);
    assert.deepEqual((await run()).copied, [4]);
    const changed = () =>
      target
        .prepare("SELECT id FROM windowed WHERE name = 'changed' ORDER BY id")
        .all()
        .map(({ id }) => id);
    assert.deepEqual(changed(), [18]);
    const window = { from: "1970-01-01 00:00:04", to: "1970-01-01 00:00:06" };
    assert.deepEqual((await run({ window })).copied, [3]);
    assert.deepEqual(changed(), [5, 18]);
    assert.deepEqual((await run({ full_refresh: true })).copied, [20]);
    assert.deepEqual(changed(), [5, 6, 18]);
  });

  test("deleted rows and changed keys are found by the keys alone", async () => {
    const table = await tableOf("id BIGINT, part STRING, name STRING, at BIGINT");
    await table.put(Array.from({ length: 20 }, (_, n) => `(${n}, 'p', 'n', ${n})`).join(", "));
    const run = await exportOf({
      followed: {
        ...{ source_dataset: table.name, primary_keys: ["id", "part"] },
        custom_config: { watermark_column: "at", deletes: true },
      },
    });
    assert.deepEqual((await run()).copied, [20]);
    await table.sql(
      `DELETE FROM ${table.name} WHERE id = 3`,
      `UPDATE ${table.name} SET part = 'q' WHERE id IN (4, 5)`,
      `INSERT INTO ${table.name} VALUES (20, 'p', 'n', 20)`,
    );
    const { run: second, copied } = await run();
    assert.deepEqual(copied, [2]);
    assert.deepEqual([second.metrics.rows_inserted, second.metrics.rows_deleted], [3, 3]);
    const sent = () => target.prepare("SELECT id, part FROM followed ORDER BY id").all().map(Object.values);
    assert.deepEqual(
      sent(),
      await table.sql(`SELECT id, part FROM ${table.name} ORDER BY id`).then(numbered),
    );
    assert.deepEqual((await run()).copied, [1]);
  });

  const numbered = (rows: readonly unknown[][]) => rows.map(([id, part]) => [Number(id), part]);

  test("a table that was replaced is said, once, with the command that sends its rows again", async () => {
    const table = await tableOf("id BIGINT, name STRING, at BIGINT");
    await table.put("(1, 'a', 1), (2, 'b', 2), (3, 'c', 3)");
    const run = await exportOf({
      replaced: { source_dataset: table.name, custom_config: { watermark_column: "at" } },
    });
    const warnings = async (parameters?: Record<string, unknown>): Promise<string[]> => {
      const { metrics } = (await run(parameters)).run;
      const [dataset] = metrics.datasets as { warnings?: string[] }[];
      return dataset?.warnings ?? [];
    };
    assert.deepEqual(await warnings(), []);
    await table.sql(
      `INSERT INTO ${table.name} VALUES (4, 'd', 4)`,
      `UPDATE ${table.name} SET name = 'e' WHERE id = 1`,
      `DELETE FROM ${table.name} WHERE id = 2`,
    );
    assert.deepEqual(await warnings(), []);
    const select = `SELECT id, upper(name) AS name, at FROM ${table.name}`;
    for (const statements of [
      [`INSERT OVERWRITE ${table.name} ${select}`],
      [`CREATE OR REPLACE TABLE ${table.name} USING delta AS ${select}`],
      [
        `CREATE TABLE ${table.name}_2 USING delta AS ${select}`,
        `DROP TABLE ${table.name}`,
        `CREATE TABLE ${table.name} USING delta AS SELECT * FROM ${table.name}_2`,
      ],
    ]) {
      await table.sql(...statements);
      const window = { from: "1", to: "2" };
      assert.deepEqual(await warnings({ window }), [], "it selects what it was asked for");
      const [warning = "", ...others] = await warnings();
      assert.match(
        warning,
        /^All rows of main\.shop\.\w+ were replaced since the last run\./,
        statements.join(),
      );
      assert.match(
        warning,
        /lakehelm connectors run --env cluster .* --set parameters\.reset_watermark=true$/,
      );
      assert.deepEqual(others, []);
      assert.deepEqual(await warnings(), []);
    }
    assert.deepEqual(await warnings({ reset_watermark: true }), []);
    const sent = target.prepare("SELECT id, name FROM replaced ORDER BY id").all().map(Object.values);
    assert.deepEqual(sent, [
      [1, "E"],
      [2, "b"],
      [3, "C"],
      [4, "D"],
    ]);
  });

  test("retried rejects are copied by their keys", async () => {
    target.exec("CREATE TABLE refusing (id INTEGER PRIMARY KEY, name TEXT, at INTEGER)");
    target.exec(
      "CREATE TRIGGER odd BEFORE INSERT ON refusing WHEN new.id IN (2, 3) BEGIN SELECT raise(abort, 'odd'); END",
    );
    const table = await tableOf("id BIGINT, name STRING, at BIGINT");
    await table.put(Array.from({ length: 20 }, (_, n) => `(${n}, 'n', ${n})`).join(", "));
    const run = await exportOf({
      refusing: {
        ...{ source_dataset: table.name, write_strategy: "append" },
        custom_config: { watermark_column: "at", max_reject_share: 0.5 },
      },
    });
    assert.equal((await run()).run.metrics.rows_rejected, 2);
    target.exec("DROP TRIGGER odd");
    assert.deepEqual((await run()).copied, [1]);
    assert.equal(idsIn("refusing").length, 18);
    const retried = await run({ retry_rejects: true });
    assert.deepEqual([retried.copied, retried.run.metrics.rows_inserted], [[3], 2]);
    assert.deepEqual((await run({ retry_rejects: true })).copied, [1]);
    assert.equal(idsIn("refusing").length, 20);
  });
});

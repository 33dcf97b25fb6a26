/** Ownership: only its pipeline can change a table, until the pipeline is removed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { ordersRequest } from "@lakehelm/flows/testing";
import { runFlow } from "../flows/flow-run.ts";
import type { RunUpdateRequest } from "../protocol/pipeline.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { ingest } from "../transfer/ingest.ts";
import { bindPipeline } from "./code/pipeline-binding.ts";
import { removePipeline } from "./pipeline-removal.ts";
import { runScript } from "./script.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";
import { runUpdate } from "./update.ts";
import { runStep } from "./update-step.ts";

const never = new AbortController().signal;
const scope = { environment: "test", catalog: "main", schema: "default" };

const updateRequest = (table: string, n: number): RunUpdateRequest => ({
  scope,
  pipeline: "p1",
  sources: [{ path: "a.sql", text: `CREATE MATERIALIZED VIEW ${table} AS SELECT ${n} AS n` }],
  configuration: {},
  update: "u",
  refresh: "all",
  fullRefresh: [],
});

suite("a table that someone else creates during an update", () => {
  test("is not overwritten", async (t) => {
    const { warehouse, context, rows } = await startTransferHarness(t);
    const { steps } = await bindPipeline(warehouse, updateRequest("t", 1), never);
    const [step] = steps;
    assert.ok(step);
    const update = { warehouse, request: updateRequest("t", 1), context, datasets: new Map() };
    const attempt = () => runStep(update, step, 0, true);

    await runScript(
      warehouse,
      { scope, sql: "CREATE TABLE t AS SELECT 3 AS n", parameters: {}, idempotencyKey: "m" },
      context,
    );
    await assert.rejects(
      attempt,
      /^Error: The table main\.default\.t already exists and was not created by a pipeline/,
    );
    await runScript(warehouse, { scope, sql: "DROP TABLE t", parameters: {}, idempotencyKey: "n" }, context);
    await runUpdate(warehouse, { ...updateRequest("t", 4), pipeline: "p2" }, context);
    await assert.rejects(attempt, /main\.default\.t already exists and belongs to the pipeline p2/);
    assert.deepEqual(await rows(`SELECT n FROM _main."default".t`), [[4]]);
  });

  test("belongs to exactly one of several pipelines that declare it", async (t) => {
    const harness = await openPipelineHarness(t);
    const make = (n: number) =>
      harness.errorMessage(
        harness.update(`CREATE MATERIALIZED VIEW t AS SELECT ${n} AS n`, { pipeline: `p${n}` }),
      );
    const messages = await Promise.all([make(1), make(2), make(3)]);
    assert.equal(messages.filter((one) => one.startsWith("It ran")).length, 1, messages.join("\n"));
    const winner = messages.findIndex((one) => one.startsWith("It ran")) + 1;
    assert.deepEqual(await harness.rows("SELECT n FROM t"), [String(winner)]);
    assert.deepEqual(await harness.internalRows("SELECT pipeline FROM shop._lakehelm.datasets"), [
      `p${winner}`,
    ]);
  });
});

suite("a table of a pipeline", () => {
  const ownedByPipeline =
    /shop\.sales\.mine is owned by the pipeline p1\. Only updates of that pipeline can change it/;

  test("cannot be changed by statements of others, except for comments", async (t) => {
    const harness = await openPipelineHarness(t);
    const code = "CREATE MATERIALIZED VIEW mine AS SELECT 1 AS n;";
    await harness.update(code);
    for (const statement of [
      "DROP TABLE mine",
      "DROP TABLE IF EXISTS mine",
      "TRUNCATE TABLE mine",
      "ALTER TABLE mine ADD COLUMN m INT",
      "INSERT INTO mine VALUES (2)",
      "CREATE OR REPLACE TABLE mine (n INT)",
    ]) {
      assert.match(await harness.errorMessage(harness.run(statement)), ownedByPipeline, statement);
      assert.match(
        await harness.errorMessage(harness.update(statement, { pipeline: "p2" })),
        ownedByPipeline,
        statement,
      );
    }
    await harness.run("COMMENT ON TABLE mine IS 'anyone may change the comment'");
    await harness.update("DROP TABLE mine");
    assert.match(await harness.errorMessage(harness.rows("SELECT n FROM mine")), /there is no table/);
  });

  test("cannot be the target of a connector", async (t) => {
    const transfer = await startTransferHarness(t);
    const db = new DatabaseSync(join(transfer.folder, "shop.db"));
    t.after(() => db.close());
    db.exec("create table orders (id integer primary key); insert into orders values (1)");
    await runUpdate(transfer.warehouse, updateRequest("orders", 7), transfer.context);
    const request = transfer.request({ watermark: null });
    await assert.rejects(
      ingest(request, transfer.context),
      /main\.default\.orders is owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
    assert.deepEqual(await transfer.rows(`SELECT n FROM _main."default".orders`), [[7]]);
  });

  test("cannot be the target of a consumption flow", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run("CREATE TABLE shop.sales.source (n INT)");
    const flow = ordersRequest();
    await harness.update(`CREATE MATERIALIZED VIEW ${flow.target_name} AS SELECT 1 AS n`);
    const context = {
      signal: never,
      crashPoint: () => {},
      log: () => {},
      now: () => "2026-03-01T12:00:00.000Z",
    };
    await assert.rejects(
      runFlow(
        harness.warehouse,
        { scope, flow: { ...flow }, businessDate: null, maxDrift: 0.5, run: "r" },
        context,
      ),
      /is owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
  });
});

test("the tables of a removed pipeline stay without an owner", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(`CREATE TABLE orders (id INT, n INT); INSERT INTO orders VALUES (1, 1), (2, 1);
    CREATE SCHEMA other; CREATE TABLE elsewhere (n INT)`);
  const code = `CREATE STREAMING TABLE s AS SELECT id FROM STREAM(orders);
    CREATE PRIVATE MATERIALIZED VIEW hidden AS SELECT 1 AS n; CREATE PRIVATE MATERIALIZED VIEW seen AS SELECT 2 AS n;
    CREATE VIEW v AS SELECT n FROM seen; CREATE MATERIALIZED VIEW m AS SELECT n FROM hidden;
    CREATE STREAMING TABLE c; CREATE FLOW f AS AUTO CDC INTO c FROM STREAM(orders) KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 2;`;
  await harness.update(code);
  await harness.update("CREATE MATERIALIZED VIEW others AS SELECT 1 AS n", { pipeline: "p" });
  for (let attempt = 0; attempt < 2; attempt += 1) await removePipeline(harness.warehouse, "p1", never);

  assert.deepEqual(await harness.internalRows("SELECT pipeline FROM shop._lakehelm.datasets"), ["p"]);
  assert.deepEqual(await harness.internalRows("SELECT * FROM shop._lakehelm.streams"), []);
  assert.deepEqual(
    await harness.internalRows(
      "SELECT table_name FROM duckdb_tables() WHERE schema_name = '_lakehelm' AND table_name LIKE '% %'",
    ),
    ["p1 sales.seen"],
  );
  assert.deepEqual(await harness.rows("SELECT n FROM v"), ["2"]);
  await harness.run("INSERT INTO s VALUES (3); DROP TABLE m");
  assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2", "3"]);
  assert.match(
    await harness.errorMessage(harness.update(code)),
    /shop\.sales\.s already exists and was not created by a pipeline/,
  );
  await harness.run("DROP TABLE s; DROP TABLE c; DROP VIEW v");
  await harness.update(code);
  assert.deepEqual(await harness.rows("SELECT id FROM s"), ["1", "2"]);
  assert.deepEqual(await harness.rows("SELECT n FROM v"), ["2"]);
});

/** Whose a table is: a pipeline keeps what it makes, whoever comes in between, until it is gone. */
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

const making = (table: string, n: number): RunUpdateRequest => ({
  scope,
  pipeline: "p1",
  sources: [{ path: "a.sql", text: `CREATE MATERIALIZED VIEW ${table} AS SELECT ${n} AS n` }],
  configuration: {},
  update: "u",
  refresh: "all",
  fullRefresh: [],
});

suite("a table that somebody else makes while an update runs", () => {
  test("is not overwritten", async (t) => {
    const { warehouse, context, rows } = await startTransferHarness(t);
    const { steps } = await bindPipeline(warehouse, making("t", 1), never);
    const [step] = steps;
    assert.ok(step);
    const update = { warehouse, request: making("t", 1), context, datasets: new Map() };
    const again = () => runStep(update, step, 0, true);

    await runScript(
      warehouse,
      { scope, sql: "CREATE TABLE t AS SELECT 3 AS n", parameters: {}, idempotencyKey: "m" },
      context,
    );
    await assert.rejects(
      again,
      /^Error: The table main\.default\.t already exists and was not created by a pipeline/,
    );
    await runScript(warehouse, { scope, sql: "DROP TABLE t", parameters: {}, idempotencyKey: "n" }, context);
    await runUpdate(warehouse, { ...making("t", 4), pipeline: "p2" }, context);
    await assert.rejects(again, /main\.default\.t already exists and belongs to the pipeline p2/);
    assert.deepEqual(await rows(`SELECT n FROM _main."default".t`), [[4]]);
  });

  test("one of two pipelines that declare it gets it", async (t) => {
    const bench = await openPipelineHarness(t);
    const make = (n: number) =>
      bench.errorMessage(
        bench.update(`CREATE MATERIALIZED VIEW t AS SELECT ${n} AS n`, { pipeline: `p${n}` }),
      );
    const said = await Promise.all([make(1), make(2), make(3)]);
    assert.equal(said.filter((one) => one.startsWith("It ran")).length, 1, said.join("\n"));
    const winner = said.findIndex((one) => one.startsWith("It ran")) + 1;
    assert.deepEqual(await bench.rows("SELECT n FROM t"), [String(winner)]);
    assert.deepEqual(await bench.own("SELECT pipeline FROM shop._lakehelm.datasets"), [`p${winner}`]);
  });
});

suite("a table that a pipeline keeps", () => {
  const kept = /shop\.sales\.mine is owned by the pipeline p1\. Only updates of that pipeline can change it/;

  test("is changed by no statement of others", async (t) => {
    const bench = await openPipelineHarness(t);
    const code = "CREATE MATERIALIZED VIEW mine AS SELECT 1 AS n;";
    await bench.update(code);
    for (const statement of [
      "DROP TABLE mine",
      "DROP TABLE IF EXISTS mine",
      "TRUNCATE TABLE mine",
      "ALTER TABLE mine ADD COLUMN m INT",
      "INSERT INTO mine VALUES (2)",
      "CREATE OR REPLACE TABLE mine (n INT)",
    ]) {
      assert.match(await bench.errorMessage(bench.run(statement)), kept, statement);
      assert.match(await bench.errorMessage(bench.update(statement, { pipeline: "p2" })), kept, statement);
    }
    await bench.run("COMMENT ON TABLE mine IS 'everybody may say what it is'");
    await bench.update("DROP TABLE mine");
    assert.match(await bench.errorMessage(bench.rows("SELECT n FROM mine")), /there is no table/);
  });

  test("takes no rows of a connector", async (t) => {
    const moving = await startTransferHarness(t);
    const db = new DatabaseSync(join(moving.folder, "shop.db"));
    t.after(() => db.close());
    db.exec("create table orders (id integer primary key); insert into orders values (1)");
    await runUpdate(moving.warehouse, making("orders", 7), moving.context);
    const request = moving.request({ watermark: null });
    await assert.rejects(
      ingest(request, moving.context),
      /main\.default\.orders is owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
    assert.deepEqual(await moving.rows(`SELECT n FROM _main."default".orders`), [[7]]);
  });

  test("is no target of a consumption flow", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run("CREATE TABLE shop.sales.source (n INT)");
    const flow = ordersRequest();
    await bench.update(`CREATE MATERIALIZED VIEW ${flow.target_name} AS SELECT 1 AS n`);
    const context = { signal: never, crashPoint: () => {}, now: () => "2026-03-01T12:00:00.000Z" };
    await assert.rejects(
      runFlow(bench.warehouse, { scope, flow: { ...flow }, businessDate: null, run: "r" }, context),
      /is owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
  });
});

test("what a pipeline that is gone has made is nobody's", async (t) => {
  const bench = await openPipelineHarness(t);
  await bench.run(`CREATE TABLE orders (id INT, n INT); INSERT INTO orders VALUES (1, 1), (2, 1);
    CREATE SCHEMA other; CREATE TABLE elsewhere (n INT)`);
  const code = `CREATE STREAMING TABLE s AS SELECT id FROM STREAM(orders);
    CREATE PRIVATE MATERIALIZED VIEW hidden AS SELECT 1 AS n; CREATE PRIVATE MATERIALIZED VIEW seen AS SELECT 2 AS n;
    CREATE VIEW v AS SELECT n FROM seen; CREATE MATERIALIZED VIEW m AS SELECT n FROM hidden;
    CREATE STREAMING TABLE c; CREATE FLOW f AS AUTO CDC INTO c FROM STREAM(orders) KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 2;`;
  await bench.update(code);
  await bench.update("CREATE MATERIALIZED VIEW others AS SELECT 1 AS n", { pipeline: "p" });
  for (let again = 0; again < 2; again += 1) await removePipeline(bench.warehouse, "p1", never);

  assert.deepEqual(await bench.own("SELECT pipeline FROM shop._lakehelm.datasets"), ["p"]);
  assert.deepEqual(await bench.own("SELECT * FROM shop._lakehelm.streams"), []);
  assert.deepEqual(
    await bench.own(
      "SELECT table_name FROM duckdb_tables() WHERE schema_name = '_lakehelm' AND table_name LIKE '% %'",
    ),
    ["p1 sales.seen"],
  );
  assert.deepEqual(await bench.rows("SELECT n FROM v"), ["2"]);
  await bench.run("INSERT INTO s VALUES (3); DROP TABLE m");
  assert.deepEqual(await bench.rows("SELECT id FROM s"), ["1", "2", "3"]);
  assert.match(
    await bench.errorMessage(bench.update(code)),
    /shop\.sales\.s already exists and was not created by a pipeline/,
  );
  await bench.run("DROP TABLE s; DROP TABLE c; DROP VIEW v");
  await bench.update(code);
  assert.deepEqual(await bench.rows("SELECT id FROM s"), ["1", "2"]);
  assert.deepEqual(await bench.rows("SELECT n FROM v"), ["2"]);
});

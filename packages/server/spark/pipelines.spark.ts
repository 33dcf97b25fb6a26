/** Pipelines on a real Spark Connect server, through the API. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startTestServer, type TestServer, unique } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { endedRun, patient, queryRows } from "./on-cluster.ts";
import { runStatements } from "./run-statements.ts";

const tables = [
  "CREATE SCHEMA main.shop",
  "CREATE TABLE main.shop.raw AS SELECT * FROM VALUES (1L, 'DE', 10.50), (2L, 'FR', 20.00), (3L, 'DE', -5.00) AS t (id, country, amount)",
  "CREATE TABLE main.shop.changes AS SELECT * FROM VALUES (1L, 'Ada', 1, 'c'), (2L, 'Bob', 2, 'c'), (1L, 'Eve', 3, 'u') AS t (id, name, seq, op)",
];

const code = `
CREATE OR REFRESH STREAMING TABLE orders (CONSTRAINT positive EXPECT (amount > 0) ON VIOLATION DROP ROW)
COMMENT 'All orders' AS SELECT id, country, amount FROM STREAM raw;
CREATE TEMPORARY VIEW german AS SELECT * FROM orders WHERE country = 'DE';
CREATE OR REFRESH MATERIALIZED VIEW revenue (country STRING COMMENT 'ISO code', amount DECIMAL(20,2), orders BIGINT)
AS SELECT o.country, sum(o.amount) AS amount, count(*) AS orders FROM orders o GROUP BY o.country;
CREATE OR REFRESH MATERIALIZED VIEW counted AS SELECT count(german.id) AS n FROM german;
CREATE OR REFRESH STREAMING TABLE people;
CREATE FLOW people_now AS AUTO CDC INTO people FROM STREAM(changes) KEYS (id) APPLY AS DELETE WHEN op = 'd' SEQUENCE BY seq
COLUMNS * EXCEPT (op, seq) STORED AS SCD TYPE 1;
CREATE OR REFRESH STREAMING TABLE history;
CREATE FLOW people_before AS AUTO CDC INTO history FROM STREAM(changes) KEYS (id) APPLY AS DELETE WHEN op = 'd' SEQUENCE BY seq
COLUMNS * EXCEPT (op, seq) STORED AS SCD TYPE 2;
`;

suite("pipelines on Spark", () => {
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  let pipeline: string;
  before(async () => {
    spark = await startConnectServer();
    server = await startTestServer({ settings: patient });
    const configuration = { ...spark.configuration, token: spark.token };
    const body = { name: "cluster", platform: "spark", configuration };
    environment = (await server.client.createEnvironment({ body })).id;
    await runStatements(spark, tables);
    pipeline = await created("shop.sql", code);
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
  });

  async function created(path: string, text: string, more: object = {}): Promise<string> {
    await server.client.putFile({ params: { path }, body: Buffer.from(text), environment });
    const made = await server.client.createPipeline({
      body: { name: unique("shop"), libraries: [{ file: { path } }], ...more },
      environment,
    });
    assert.equal(made.error_message, null);
    return made.pipeline_id;
  }
  const rows = (sql: string) => queryRows(server.client, environment, sql);
  async function update(id: string, body: object = {}) {
    const params = { pipeline_id: id };
    const { update_id } = await server.client.startPipelineUpdate({ params, body });
    await endedRun(server.client, update_id);
    const done = await server.client.getPipelineUpdate({ params: { ...params, update_id } });
    const numbers = Object.fromEntries(
      done.tables.map(({ name, rows_added, rows_updated, rows_removed, rows_dropped }) => [
        name.replace("main.shop.", ""),
        [rows_added, rows_updated, rows_removed, rows_dropped],
      ]),
    );
    return { state: done.state, error: done.error, numbers, tables: done.tables };
  }

  test("plain statements use the schema of the pipeline, and USE; both are created", async () => {
    const text = `CREATE TABLE IF NOT EXISTS raw (id BIGINT); INSERT INTO raw VALUES (7);
      CREATE OR REFRESH MATERIALIZED VIEW doubled AS SELECT id * 2 AS id FROM raw;
      USE SCHEMA further; CREATE TABLE IF NOT EXISTS raw AS SELECT id + 1 AS id FROM other.raw;`;
    const { state, error } = await update(await created("other.sql", text, { schema: "other" }));
    assert.equal(state, "COMPLETED", error ?? "");
    assert.deepEqual(await rows("SELECT d.id, f.id FROM other.doubled d, further.raw f"), [[14, 8]]);
    assert.deepEqual(await rows("SELECT count(*) FROM shop.raw"), [[3]]);
    const drop = "DROP TABLE IF EXISTS raw; CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT 1 AS n";
    const lost = await update(await created("lost.sql", drop, { schema: "nowhere" }));
    assert.equal(lost.state, "COMPLETED", lost.error ?? "");
    assert.deepEqual(await rows("SELECT count(*) FROM shop.raw"), [[3]]);
  });

  test("an update fills tables, and the next one without new rows writes nothing", async () => {
    const first = await update(pipeline);
    assert.equal(first.state, "COMPLETED", first.error ?? "");
    assert.deepEqual(first.numbers, {
      orders: [2, 0, 0, 1],
      german: [0, 0, 0, 0],
      revenue: [2, 0, 0, 0],
      counted: [1, 0, 0, 0],
      people: [2, 0, 0, 0],
      history: [3, 0, 0, 0],
    });
    assert.deepEqual(await rows("SELECT * FROM main.shop.revenue ORDER BY country"), [
      ["DE", "10.50", 1],
      ["FR", "20.00", 1],
    ]);
    assert.deepEqual(await rows("SELECT id, name FROM main.shop.people ORDER BY id"), [
      [1, "Eve"],
      [2, "Bob"],
    ]);
    assert.deepEqual(
      await rows("SELECT id, name, __START_AT, __END_AT FROM main.shop.history ORDER BY 1, 3"),
      [
        [1, "Ada", 1, 3],
        [1, "Eve", 3, null],
        [2, "Bob", 2, null],
      ],
    );
    const second = await update(pipeline);
    for (const [name, numbers] of Object.entries(second.numbers))
      assert.deepEqual(numbers, [0, 0, 0, 0], name);
  });

  test("new rows are added, and late events change the versions that they fall into", async () => {
    await runStatements(spark, [
      "INSERT INTO main.shop.raw VALUES (4L, 'DE', 1.00), (5L, 'IT', 2.00)",
      "INSERT INTO main.shop.changes VALUES (2L, 'Bob', 5, 'd'), (1L, 'Late', 2, 'u'), (3L, 'Cem', 6, 'c')",
    ]);
    const { state, error: problem } = await update(pipeline);
    assert.equal(state, "COMPLETED", problem ?? "");
    assert.deepEqual(await rows("SELECT id FROM main.shop.orders ORDER BY id"), [[1], [2], [4], [5]]);
    assert.deepEqual(await rows("SELECT country, orders FROM main.shop.revenue ORDER BY 1"), [
      ["DE", 2],
      ["FR", 1],
      ["IT", 1],
    ]);
    assert.deepEqual(await rows("SELECT id, name FROM main.shop.people ORDER BY id"), [
      [1, "Eve"],
      [3, "Cem"],
    ]);
    assert.deepEqual(
      await rows("SELECT id, name, __START_AT, __END_AT FROM main.shop.history ORDER BY 1, 3"),
      [
        [1, "Ada", 1, 2],
        [1, "Late", 2, 3],
        [1, "Eve", 3, null],
        [2, "Bob", 2, 5],
        [3, "Cem", 6, null],
      ],
    );
  });

  test("columns widen with those of the sources, and keep the rows", async () => {
    const widened = "SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')";
    await runStatements(spark, [
      `ALTER TABLE main.shop.raw ${widened}`,
      "ALTER TABLE main.shop.raw ALTER COLUMN amount TYPE DECIMAL(12,4)",
      "INSERT INTO main.shop.raw VALUES (6L, 'AT', 1000.1250)",
      `ALTER TABLE main.shop.changes ${widened}`,
      "ALTER TABLE main.shop.changes ALTER COLUMN seq TYPE BIGINT",
      "INSERT INTO main.shop.changes VALUES (3L, 'Deniz', 5000000000, 'u')",
    ]);
    const { state, error: problem } = await update(pipeline);
    assert.equal(state, "COMPLETED", problem ?? "");
    assert.deepEqual(await rows("SELECT id, amount, typeof(amount) FROM main.shop.orders ORDER BY id"), [
      ...[1, 2, 4, 5].map((id, at) => [id, ["10.5000", "20.0000", "1.0000", "2.0000"][at], "decimal(12,4)"]),
      [6, "1000.1250", "decimal(12,4)"],
    ]);
    assert.deepEqual(
      await rows("SELECT name, __START_AT, __END_AT FROM main.shop.history WHERE id = 3 ORDER BY 2"),
      [
        ["Cem", 6, 5_000_000_000],
        ["Deniz", 5_000_000_000, null],
      ],
    );
    assert.deepEqual(await rows("SELECT name FROM main.shop.people WHERE id = 3"), [["Deniz"]]);
    await server.client.putFile({
      params: { path: "shop.sql" },
      body: Buffer.from(
        code.replace("country, amount FROM", "country, CAST(amount AS DECIMAL(12,6)) AS amount FROM"),
      ),
      environment,
    });
    const changed = await update(pipeline, { refresh_selection: ["orders"] });
    assert.match(
      changed.error ?? "",
      /amount of main\.shop\.orders would change from DECIMAL\(12,4\) to DECIMAL\(12,6\)\. .*: lakehelm pipelines run --env \S+ \S+ --full-refresh-selection main\.shop\.orders$/m,
    );
    await server.client.putFile({ params: { path: "shop.sql" }, body: Buffer.from(code), environment });
  });

  test("a failing expectation leaves the table as it was, and a rewritten source needs a full refresh", async () => {
    const strict = await created(
      "strict.sql",
      "CREATE OR REFRESH MATERIALIZED VIEW strict (CONSTRAINT few EXPECT (n < 3) ON VIOLATION FAIL UPDATE) AS SELECT count(*) AS n FROM raw;",
    );
    const { state, error } = await update(strict);
    assert.equal(state, "FAILED");
    assert.match(error ?? "", /1 of 1 row of main\.shop\.strict does not meet the expectation few/);
    await runStatements(spark, ["DELETE FROM main.shop.raw WHERE id = 5"]);
    const some = { refresh_selection: ["orders"] };
    assert.match((await update(pipeline, some)).error ?? "", /changed or removed.*--full-refresh-selection/);
    const full = await update(pipeline, { full_refresh_selection: ["orders"] });
    assert.deepEqual([full.state, full.numbers.orders], ["COMPLETED", [4, 0, 5, 1]], full.error ?? "");
  });
});

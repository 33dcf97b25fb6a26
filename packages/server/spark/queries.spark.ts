/** An environment on a real Spark Connect server: check, queries, catalog and descriptions, through the API. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ApiError } from "@lakehelm/contract/client";
import { jsonRowsOf } from "@lakehelm/spark-connect";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { until } from "@lakehelm/testing/until";
import { refused } from "../src/testing/refusal.ts";
import { startTestServer, type TestServer } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { runStatements } from "./run-statements.ts";

const tables = [
  "CREATE SCHEMA main.shop",
  "CREATE TABLE main.shop.orders (id BIGINT COMMENT 'the key', amount DECIMAL(12,2), at TIMESTAMP, tags ARRAY<STRING>) COMMENT 'all orders'",
  "INSERT INTO main.shop.orders SELECT id, id * 10.25, timestamp'2026-01-01 00:00:00.000001' + make_dt_interval(id), array('a', null) FROM range(1, 4)",
  "CREATE SCHEMA dev.shop",
];

suite("an environment on Spark", () => {
  let spark: ConnectServer;
  let server: TestServer;
  let environment: string;
  before(async () => {
    spark = await startConnectServer();
    server = await startTestServer();
    const { id } = await server.client.createEnvironment({
      body: {
        name: "cluster",
        platform: "spark",
        configuration: { ...spark.configuration, token: spark.token },
      },
    });
    environment = id;
    await runStatements(spark, tables);
  });
  after(async () => {
    await server?.close();
    await spark?.stop();
  });

  const query = (sql: string, more: object = {}) =>
    server.client.runQuery({ body: { sql, ...more }, environment });

  test("check says what works", async () => {
    const { ok, findings } = await server.client.checkEnvironment({
      params: { environment_id: environment },
    });
    assert.deepEqual(
      findings.map(({ name, status }) => [name, status]),
      [
        ["configuration", "ok"],
        ["connect", "ok"],
        ["delta", "ok"],
        ["catalog", "ok"],
        ["staging", "skipped"],
        ["python", "skipped"],
      ],
    );
    assert.ok(ok);
    const { id } = await server.client.createEnvironment({
      body: {
        name: "wrong-token",
        platform: "spark",
        configuration: { ...spark.configuration, token: "wrong" },
      },
    });
    const wrong = await server.client.checkEnvironment({ params: { environment_id: id } });
    assert.match(wrong.findings[1]?.message ?? "", /does not accept the token/);
    assert.doesNotMatch(
      JSON.stringify(await server.client.getEnvironment({ params: { environment_id: id } })),
      /"wrong"/,
    );
  });

  test("a query returns exact values, as the embedded platform does", async () => {
    const { columns, rows } = await query(
      `SELECT id, amount, at, tags, cast(9007199254740993 AS BIGINT) big, date'0001-01-01' d, timestamp_ntz'9999-12-31 23:59:59.999999' t,
       map('k', 1.5) m, named_struct('x', null, 'y', true) s, cast('NaN' AS DOUBLE) nan, X'00FF' b, -0.05BD dec
       FROM main.shop.orders WHERE id = 1`,
    );
    assert.deepEqual(columns.map(({ type }) => type).slice(0, 7), [
      "BIGINT",
      "DECIMAL(12,2)",
      "TIMESTAMP",
      "ARRAY<STRING>",
      "BIGINT",
      "DATE",
      "TIMESTAMP_NTZ",
    ]);
    assert.deepEqual(rows, [
      [
        ...[1, "10.25", "2026-01-02T00:00:00.000001Z", ["a", null], "9007199254740993", "0001-01-01"],
        ...["9999-12-31T23:59:59.999999", { k: "1.5" }, { x: null, y: true }, "NaN", "AP8=", "-0.05"],
      ],
    ]);
  });

  test("a short name is completed by the environment's catalog and schema", async () => {
    assert.deepEqual((await query("SELECT count(*) FROM orders")).rows, [[3]]);
    assert.deepEqual((await query("SELECT count(*) FROM shop.orders")).rows, [[3]]);
  });

  test("results are paged, as JSON and as Arrow", async () => {
    const sql = "SELECT id FROM main.shop.orders ORDER BY id";
    const first = await query(sql, { limit: 2 });
    assert.deepEqual([first.rows, first.more], [[[1], [2]], true]);
    const second = await query(sql, { limit: 2, skip: 2 });
    assert.deepEqual([second.rows, second.more], [[[3]], false]);
    const answer = await server.fetch("/api/v1/queries", {
      method: "POST",
      headers: {
        accept: "application/vnd.apache.arrow.stream",
        "content-type": "application/json",
        "x-environment-id": environment,
      },
      body: JSON.stringify({ sql: "SELECT id FROM range(0, 50000, 1, 4) ORDER BY id", limit: 10_000 }),
    });
    const rows = [...jsonRowsOf(new Uint8Array(await answer.arrayBuffer()))];
    assert.deepEqual([rows.length, rows.at(-1)], [10_000, [9_999]]);
  });

  test("a plan is read and nothing runs; a Parquet file is refused", async () => {
    const plan = (sql: string) => server.client.planQuery({ body: { sql }, environment });
    const { text, operators } = await plan("SELECT id FROM main.shop.orders WHERE id > 1");
    assert.match(text, /== Physical Plan ==[\s\S]*orders/);
    assert.equal(operators, null);
    await refused(plan("SELECT amuont FROM main.shop.orders"), 409, /`amount`.*UNRESOLVED_COLUMN/);
    await refused(plan("DROP TABLE main.shop.orders"), 409);
    const download = server.client.downloadQuery({ body: { sql: "SELECT 1" }, environment });
    await refused(download, 409, "Spark returns JSON and Arrow, no Parquet.");
  });

  test("an error names the place, the class and a suggestion", async () => {
    await refused(
      query("SELECT\n  amuont FROM main.shop.orders"),
      409,
      /^Line 2, column 3: .*`amount`.*UNRESOLVED_COLUMN/,
    );
    await refused(query("SELECT 1 +\n 1/0"), 409, /^Line 2, column 2: Division by zero.*DIVIDE_BY_ZERO/);
    await refused(
      query("SELECT 1 FROM main.shop.nothing"),
      409,
      /^Line 1, column 15: .*TABLE_OR_VIEW_NOT_FOUND/,
    );
    await refused(query("SELECT FROM WHERE"), 409, /^Line 1, column \d+: /);
  });

  test("a query only reads, and only tables", async () => {
    for (const sql of [
      "DROP TABLE main.shop.orders",
      "WITH x AS (SELECT 1) INSERT INTO main.shop.orders SELECT 1, 1, null, null FROM x",
      "SELECT 1; DROP TABLE main.shop.orders",
      "SELECT 1) LIMIT 1; DROP TABLE main.shop.orders --",
      "SELECT reflect('java.lang.System', 'getenv', 'PATH')",
      "SELECT TRANSFORM(id) USING 'cat' FROM main.shop.orders",
      "SELECT * FROM text.`/etc/passwd`",
      "SELECT * FROM (FROM main.shop.orders INSERT OVERWRITE main.shop.orders SELECT *)",
    ]) {
      await refused(query(sql), 409);
    }
    assert.deepEqual((await query("SELECT count(*) FROM main.shop.orders")).rows, [[3]]);
  });

  test("a query that takes too long is stopped, and the next one runs", async () => {
    const endless = "SELECT count(*) FROM range(100000000000) a CROSS JOIN range(1000) b";
    await refused(query(endless, { timeout_seconds: 2 }), 409, /stopped/);
    assert.deepEqual((await query("SELECT 1 AS one")).rows, [[1]]);
  });

  test("#18 returns the value of a single integer, otherwise the number of rows", async () => {
    const validate = async (text: string) =>
      (await server.client.validateQuery({ body: { query: text }, environment })).result;
    assert.equal(await validate("SELECT count(*) FROM main.shop.orders"), 3);
    assert.equal(await validate("SELECT id, amount FROM main.shop.orders WHERE id > 1"), 2);
  });

  test("the catalog lists tables and their descriptions, which can be changed", async () => {
    const { tables: found } = await server.client.readCatalog({ environment });
    const [orders] = found;
    assert.deepEqual(
      [found.length, orders?.catalog, orders?.schema, orders?.name, orders?.comment],
      [1, "main", "shop", "orders", "all orders"],
    );
    assert.deepEqual(
      orders?.columns.map(({ name, comment }) => [name, comment]),
      [
        ["id", "the key"],
        ["amount", null],
        ["at", null],
        ["tags", null],
      ],
    );
  });

  test("tags belong to the table: another server sees them, and they are dropped with it", async () => {
    await runStatements(spark, ["CREATE TABLE main.shop.tagged (id BIGINT, email STRING)"]);
    await server.client.changeMetadata({
      body: {
        ...{ catalog_name: "main", schema_name: "shop", table_name: "tagged" },
        change: {
          table_tags: { domain: "sales" },
          columns: [{ column: "email", column_tags: { pii: "true" } }],
        },
      },
      environment,
    });
    const other = await startTestServer();
    const { id } = await other.client.createEnvironment({
      body: {
        name: "same-cluster",
        platform: "spark",
        configuration: { ...spark.configuration, token: spark.token },
      },
    });
    const tagged = async () => {
      const query = { catalog: "main", schema: "shop", table: "tagged" };
      const [table] = (await other.client.readCatalog({ query, environment: id })).tables;
      return [table?.tags, table?.columns.map(({ tags }) => tags)];
    };
    try {
      assert.deepEqual(await tagged(), [{ domain: "sales" }, [{}, { pii: "true" }]]);
      await runStatements(spark, [
        "DROP TABLE main.shop.tagged",
        "CREATE TABLE main.shop.tagged (id BIGINT)",
      ]);
      assert.deepEqual(await tagged(), [{}, [{}]]);
    } finally {
      await other.close();
      await runStatements(spark, ["DROP TABLE main.shop.tagged"]);
    }
  });

  // Only nightly: the suites of jobs and connectors kill the server, too.
  test(
    "a server that is killed is a retryable error, and the next query finds the tables again",
    onlyNightly,
    async () => {
      const crashed = spark.crash();
      await assert.rejects(query("SELECT count(*) FROM main.shop.orders"), (error) => {
        return error instanceof ApiError && error.status === 503;
      });
      await crashed;
      // The first read of a new server can take longer than a caller waits.
      const rows = await until(
        async () => (await query("SELECT count(*) FROM main.shop.orders").catch(() => undefined))?.rows,
      );
      assert.deepEqual(rows, [[3]]);
    },
  );
});

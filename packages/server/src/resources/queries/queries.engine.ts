/** Queries through the API, on the real engine. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { withDuckdb } from "@lakehelm/engine/testing";
import { refused } from "../../testing/refusal.ts";
import { type RemotePlatform, startRemotePlatform } from "../../testing/remote-platform.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { fillWarehouse, shop, shopConfiguration } from "../../testing/warehouse.ts";

suite("POST /api/v1/queries", () => {
  let remote: RemotePlatform;
  let server: TestServer;
  let environment: string;
  before(async () => {
    remote = await startRemotePlatform("remote");
    server = await startTestServer({ platforms: [remote.platform] });
    const created = await server.client.createEnvironment({
      body: { name: "shop", configuration: shopConfiguration },
    });
    environment = created.id;
    await fillWarehouse(server, environment, ...shop);
  });
  after(async () => {
    await server.close();
    await remote.close();
  });

  const query = (sql: string, more: object = {}) =>
    server.client.runQuery({ body: { sql, ...more }, environment });

  test("a query returns columns and rows, with exact numbers as text", async () => {
    const { seconds, ...answer } = await query(
      "select order_id, amount, updated_at from orders where order_id = 3",
    );
    assert.deepEqual(answer, {
      columns: [
        { name: "order_id", type: "BIGINT" },
        { name: "amount", type: "DECIMAL(18,2)" },
        { name: "updated_at", type: "TIMESTAMP" },
      ],
      rows: [[3, "90071992547409.93", "2026-01-03T00:00:00.000001Z"]],
      count: 1,
      more: false,
    });
    assert.ok(seconds >= 0);
  });

  test("results are paged", async () => {
    const sql = "select order_id from orders order by order_id";
    const first = await query(sql, { limit: 2 });
    assert.deepEqual([first.rows, first.count, first.more], [[[1], [2]], 2, true]);
    const second = await query(sql, { limit: 2, skip: 2 });
    assert.deepEqual([second.rows, second.count, second.more], [[[3]], 1, false]);
    await refused(query(sql, { limit: 10_001 }), 422);
  });

  test("a query is in Databricks SQL, or in DuckDB's dialect on request", async () => {
    assert.deepEqual((await query("select `country` from customers where email rlike 'ada'")).rows, [["DE"]]);
    assert.deepEqual(
      (await query('from customers select "country" limit 1', { dialect: "duckdb" })).count,
      1,
    );
  });

  test("the result is an Arrow stream if the caller accepts one", async () => {
    const answer = await server.fetch("/api/v1/queries", {
      method: "POST",
      headers: {
        accept: "application/vnd.apache.arrow.stream",
        "content-type": "application/json",
        "x-environment-id": environment,
      },
      body: JSON.stringify({ sql: "select order_id, customer_id from orders order by order_id" }),
    });
    assert.equal(answer.headers.get("content-type"), "application/vnd.apache.arrow.stream");
    const bytes = Buffer.from(await answer.arrayBuffer());
    // A message begins with this marker (the tests of the format read it), and the stream ends with an empty one.
    assert.equal(bytes.subarray(0, 4).toString("hex"), "ffffffff");
    assert.equal(bytes.subarray(-8).toString("hex"), "ffffffff00000000");
    assert.ok(bytes.includes("customer_id"));
  });

  test("an invalid query is 409 with the position and a suggestion", async () => {
    await refused(
      query("select order_id from ordrs"),
      409,
      /^Line 1, column 22: there is no table .* Did you mean .*orders\?/,
    );
    await refused(
      query("select amuont from orders"),
      409,
      /^Line 1, column 8: .*amuont.* Did you mean amount\?/,
    );
    await refused(query("selec 1"), 409);
  });

  test("a plan names operators, tables and expected rows, and nothing runs", async () => {
    const plan = (sql: string, more: object = {}) =>
      server.client.planQuery({ body: { sql, ...more }, environment });
    const { text, operators, seconds } = await plan(
      "select country, count(*) from customers where email rlike 'a' group by country",
    );
    assert.match(text, /Table: .*customers/);
    assert.ok(operators?.some(({ name, depth }) => name.includes("SCAN") && depth > 0));
    assert.ok(operators?.some(({ estimated_rows }) => estimated_rows !== null));
    assert.ok(seconds >= 0);
    // This query would run for days.
    const endless = "select count(*) from range(1000000000) a, range(1000000000) b";
    assert.match((await plan(endless, { dialect: "duckdb" })).text, /RANGE|CROSS/);
    await refused(plan("select amuont from orders"), 409, /^Line 1, column 8: .*Did you mean amount\?/);
    for (const sql of ["delete from orders", "analyze select 1", "select 1; drop table orders"]) {
      await refused(plan(sql), 409);
      await refused(plan(sql, { dialect: "duckdb" }), 409);
    }
    await refused(plan("select * from read_text('/etc/hostname')", { dialect: "duckdb" }), 409);
  });

  test("all rows are downloaded as a Parquet file, which is not larger than an answer, and no file stays", async () => {
    const download = (sql: string, more: object = {}) =>
      server.client.downloadQuery({ body: { sql, ...more }, environment });
    const bytes = await download(
      "select order_id, amount, order_id as ORDER_ID, cast(1 as decimal(38,0)) * 2 as n from orders",
    );
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-parquet-"));
    try {
      const file = join(folder, "orders.parquet");
      await writeFile(file, bytes);
      const rowsOf = (sql: string) => withDuckdb((duck) => duck.runAndReadAll(sql));
      const read = await rowsOf(`from '${file}' order by order_id`);
      assert.equal(read.columnNames()[0], "order_id");
      assert.deepEqual(
        read
          .getRowsJson()
          .map(([id, amount]) => [id, amount])
          .at(-1),
        ["3", "90071992547409.93"],
      );
      const many = await download("select * from range(50000)", { dialect: "duckdb" });
      await writeFile(file, many);
      assert.deepEqual((await rowsOf(`select count(*) from '${file}'`)).getRowsJson(), [["50000"]]);
    } finally {
      await rm(folder, { recursive: true });
    }
    await refused(
      download("select uuid() from range(3000000)", { dialect: "duckdb" }),
      409,
      /The Parquet file would be larger than 16777216 bytes/,
    );
    await refused(download("select order_id from ordrs"), 409, /there is no table/);
    await refused(download("copy orders to '/tmp/x'", { dialect: "duckdb" }), 409);
    const files = await readdir(join(server.dataDir, "warehouse"), { recursive: true });
    assert.deepEqual(
      files.filter((name) => name.endsWith(".parquet")),
      [],
    );
  });

  test("only reading statements are allowed", async () => {
    for (const sql of [
      "delete from orders",
      "create table x as select 1",
      "select 1; drop table orders",
      "attach '/tmp/x.db' as x",
      "copy orders to '/tmp/x'",
      "set memory_limit = '1GB'",
    ]) {
      await refused(query(sql), 409);
      await refused(query(sql, { dialect: "duckdb" }), 409);
    }
    await refused(query("select * from read_text('/etc/hostname')", { dialect: "duckdb" }), 409);
    assert.deepEqual((await query("select count(*) as n from orders")).rows, [[3]]);
  });

  test("a query that times out is stopped, and the next one runs", async () => {
    const endless = "select count(*) from range(1000000000) a, range(1000000000) b";
    await refused(query(endless, { timeout_seconds: 1, dialect: "duckdb" }), 409, /stopped/);
    assert.equal((await query("select 1 as one")).count, 1);
  });

  test("a platform without a warehouse is 409", async () => {
    const { id } = await server.client.createEnvironment({ body: { name: "elsewhere", platform: "remote" } });
    await refused(
      server.client.runQuery({ body: { sql: "select 1" }, environment: id }),
      409,
      "The platform remote has no warehouse.",
    );
  });

  test("#18 returns the value of a single integer, otherwise the number of rows", async () => {
    const validate = (text: string) => server.client.validateQuery({ body: { query: text }, environment });
    const counted = await validate("select count(*) from orders");
    assert.deepEqual([counted.success, counted.result, counted.error], [true, 3, null]);
    assert.equal((await validate("select * from customers")).result, 2);
    assert.equal((await validate("select email from customers where false")).result, 0);
  });

  test("#18 returns success false and the problem of an invalid query", async () => {
    const validate = (text: string) => server.client.validateQuery({ body: { query: text }, environment });
    for (const [text, error] of [
      ["", /empty/],
      ["select \\u0000", /./],
      ["drop table orders", /DROP is not a query/],
      ["select 1; select 2", /./],
      ["select x from orders", /"x"/],
    ] as const) {
      const answer = await validate(text);
      assert.deepEqual([answer.success, answer.result, answer.message], [false, 0, null], text);
      assert.match(answer.error ?? "", error);
    }
  });

  test("#18 on a platform without a warehouse returns the problem", async () => {
    const { id } = await server.client.createEnvironment({ body: { name: "remote", platform: "remote" } });
    const answer = await server.client.validateQuery({ body: { query: "select 1" }, environment: id });
    assert.equal(answer.error, "The platform remote has no warehouse.");
  });
});

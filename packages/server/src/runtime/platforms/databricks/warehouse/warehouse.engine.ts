import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { refused } from "../../../../testing/refusal.ts";
import { startTestServer, type TestServer } from "../../../../testing/server.ts";
import { databricksEnvironment } from "../testing/environment.ts";
import { type FakeWorkspace, startFakeWorkspace } from "../testing/fake-workspace.ts";
import { type FakeSqlWarehouse, fakeSqlWarehouse } from "../testing/sql-warehouse.ts";
import { type FakeUnityCatalog, fakeUnityCatalog } from "../testing/unity-catalog.ts";

suite("the SQL warehouse and Unity Catalog of a workspace", () => {
  let server: TestServer;
  let workspace: FakeWorkspace;
  let sql: FakeSqlWarehouse;
  let unity: FakeUnityCatalog;
  let environment: string;
  before(async () => {
    server = await startTestServer();
    sql = fakeSqlWarehouse();
    unity = fakeUnityCatalog();
    workspace = await startFakeWorkspace(undefined, sql.routes, unity.routes);
    environment = await databricksEnvironment(server, workspace, { catalog: "shop", schema: "sales" });
    for (const name of ["shop.sales", "shop.empty", "other.x"]) unity.schemas.add(name);
    const columns = [
      { name: "order_id", type: "BIGINT" },
      { name: "email", type: "STRING", comment: "Where the receipt goes" },
    ];
    unity.tables.set("shop.sales.orders", { comment: "Orders", columns });
    unity.tables.set("shop.sales.recent", { type: "VIEW", columns });
    unity.tables.set("shop.sales.totals", { type: "MATERIALIZED_VIEW", columns });
    unity.tags.set("columns/shop.sales.orders.email", { pii: "true" });
  });
  after(async () => {
    await server.close();
    await workspace.close();
  });

  const query = (text: string, more: object = {}) =>
    server.client.runQuery({ body: { sql: text, ...more }, environment });
  const validate = (text: string) => server.client.validateQuery({ body: { query: text }, environment });
  const count = (rows: number): ReturnType<FakeSqlWarehouse["run"]> => ({
    columns: [["n", "BIGINT"]],
    rows: [[String(rows)]],
  });

  test("values have the JSON of their type, and numbers that JSON would round are strings", async () => {
    sql.run = () => ({
      columns: [
        ["id", "BIGINT"],
        ["big", "BIGINT"],
        ["price", "DECIMAL(12,2)"],
        ["share", "DOUBLE"],
        ["ok", "BOOLEAN"],
        ["tags", "ARRAY<BIGINT>"],
        ["note", "STRING"],
      ],
      rows: [["7", "9007199254740993", "1.10", "0.5", "true", "[1,9007199254740993]", null]],
    });
    const { columns, rows, count, more } = await query("select * from orders;");
    assert.deepEqual(rows, [[7, "9007199254740993", "1.10", 0.5, true, [1, "9007199254740993"], null]]);
    assert.deepEqual([count, more, columns[2]], [1, false, { name: "price", type: "DECIMAL(12,2)" }]);
    assert.equal(sql.statements.at(-1), "SELECT * FROM (\nselect * from orders\n) LIMIT 1001 OFFSET 0");
  });

  test("a page has its rows from all chunks, and says whether more follow", async () => {
    sql.chunkRows = 2;
    sql.run = () => ({ columns: [["n", "INT"]], rows: [1, 2, 3, 4, 5, 6].map((n) => [String(n)]) });
    const page = await query("select n from t", { limit: 5, skip: 10 });
    assert.deepEqual([page.rows.flat(), page.more], [[1, 2, 3, 4, 5], true]);
    assert.match(sql.statements.at(-1) ?? "", / LIMIT 6 OFFSET 10$/);
    sql.chunkRows = 1000;
  });

  test("only queries are sent, also if a change begins like one", async () => {
    const before = sql.statements.length;
    for (const text of [
      "drop table orders",
      "insert into orders values (1)",
      "with a as (select 1) insert into orders select * from a",
      "with a as (select 1) delete from orders",
      "from orders insert into copies select *",
      "select 1; drop table orders",
      "select 1) ; drop table orders --",
      "select 1 /* unfinished",
      "call system.drop()",
      "-- only a comment",
      "explain select 1",
    ]) {
      await refused(query(text), 409);
      const answer = await validate(text);
      assert.deepEqual([answer.success, answer.result], [false, 0], text);
    }
    assert.equal(sql.statements.length, before);
    sql.run = () => count(1);
    for (const text of [
      "with a as (select 1) select * from a",
      "(select 1)",
      "values (1)",
      "select 'insert into x'",
    ]) {
      assert.equal((await query(text)).count, 1, text);
    }
  });

  test("an error of the statement is 409, with the line in the caller's text", async () => {
    sql.run = () => ({
      error:
        "[TABLE_OR_VIEW_NOT_FOUND] The table or view `ordrs` cannot be found. SQLSTATE: 42P01; line 2 pos 14",
    });
    await refused(query("select * from ordrs"), 409, /cannot be found.*line 1 pos 14/);
    const answer = await validate("select * from ordrs");
    assert.deepEqual([answer.success, answer.result], [false, 0]);
    assert.match(answer.error ?? "", /TABLE_OR_VIEW_NOT_FOUND/);
  });

  test("a plan is asked for with EXPLAIN of a subquery; a Parquet file is refused", async () => {
    sql.run = () => ({ columns: [["plan", "STRING"]], rows: [["== Physical Plan ==\nPhotonScan orders\n"]] });
    const plan = (text: string) => server.client.planQuery({ body: { sql: text }, environment });
    const { text, operators } = await plan("select * from orders");
    assert.deepEqual([text, operators], ["== Physical Plan ==\nPhotonScan orders", null]);
    assert.equal(sql.statements.at(-1), "EXPLAIN FORMATTED SELECT * FROM (\nselect * from orders\n)");
    const before = sql.statements.length;
    await refused(plan("drop table orders"), 409, /DROP is not a query/);
    const download = server.client.downloadQuery({ body: { sql: "select 1" }, environment });
    await refused(download, 409, "A SQL warehouse of Databricks returns JSON only.");
    assert.equal(sql.statements.length, before);
    sql.run = () => ({
      columns: [["plan", "STRING"]],
      rows: [["Error occurred during query planning: \n[UNRESOLVED_COLUMN] There is no column x."]],
    });
    await refused(plan("select x from orders"), 409, "[UNRESOLVED_COLUMN] There is no column x.");
  });

  test("#18 returns the value of a single integer, otherwise the number of rows", async () => {
    sql.run = () => count(42);
    assert.equal((await validate("select count(*) from orders")).result, 42);
    sql.run = () => ({ columns: [["email", "STRING"]], rows: [] });
    assert.equal((await validate("select email from orders where false")).result, 0);
    sql.run = (text) =>
      text.startsWith("SELECT count(*)")
        ? count(3)
        : { columns: [["email", "STRING"]], rows: [["a"], ["b"]] };
    const { result, message } = await validate("select email from orders");
    assert.deepEqual([result, message], [3, "The query is valid; it has 1 column."]);
  });

  test("a statement that takes a while is waited for; after its time limit it is cancelled", async () => {
    sql.run = () => count(1);
    sql.polls = 2;
    assert.equal((await query("select 1")).count, 1);
    sql.polls = Number.POSITIVE_INFINITY;
    await refused(query("select 2", { timeout_seconds: 1 }), 409, "The statement was stopped after 1 s.");
    const last = () => `statement-${sql.statements.length}`;
    await until(() => sql.cancelled.includes(last()));
    sql.waits = "PENDING";
    await refused(query("select 3", { timeout_seconds: 3 }), 409, /it is starting, or busy/);
    sql.polls = 0;
    sql.waits = "RUNNING";
  });

  test("a caller who leaves cancels the statement", async () => {
    sql.polls = Number.POSITIVE_INFINITY;
    const before = sql.statements.length;
    const stop = new AbortController();
    const left = server.fetch("/api/v1/queries", {
      method: "POST",
      headers: { "content-type": "application/json", "x-environment-id": environment },
      body: JSON.stringify({ sql: "select 1" }),
      signal: stop.signal,
    });
    await until(() => sql.statements.length > before);
    stop.abort();
    await assert.rejects(left);
    await until(() => sql.cancelled.includes(`statement-${sql.statements.length}`));
    sql.polls = 0;
  });

  test("a workspace that cannot be reached for a while is tried again, and then 503", async () => {
    sql.run = () => count(1);
    workspace.fail({ match: "POST /api/2.0/sql/statements", kind: "drop" });
    assert.equal((await query("select 1")).count, 1);
    const away = await databricksEnvironment(server, { url: "http://127.0.0.1:1" }, {});
    await refused(server.client.runQuery({ body: { sql: "select 1" }, environment: away }), 503);
  });

  test("the catalog lists the environment's catalog, with the tags of a table that is named", async () => {
    const all = await server.client.readCatalog({ environment });
    assert.deepEqual(all.catalogs, ["main", "other", "shop"]);
    assert.deepEqual(
      all.schemas.map(({ name }) => name),
      ["empty", "sales"],
    );
    assert.deepEqual(
      all.tables.map(({ name, kind }) => [name, kind]),
      [
        ["orders", "table"],
        ["recent", "view"],
        ["totals", "table"],
      ],
    );
    const one = await server.client.readCatalog({
      query: { catalog: "Shop", schema: "SALES", table: "Orders" },
      environment,
    });
    assert.deepEqual(one.tables[0]?.columns[1], {
      name: "email",
      type: "STRING",
      nullable: true,
      comment: "Where the receipt goes",
      tags: { pii: "true" },
    });
    const none = await server.client.readCatalog({ query: { catalog: "nowhere" }, environment });
    assert.deepEqual([none.catalogs, none.schemas, none.total], [[], [], 0]);
  });

  const change = (changes: object) =>
    server.client.changeMetadata({
      body: { catalog_name: "shop", schema_name: "sales", table_name: "orders", change: changes },
      environment,
    });

  test("descriptions and tags are changed by the statements that are needed, and no others", async () => {
    sql.run = () => ({ columns: [], rows: [] });
    const before = sql.statements.length;
    const wanted = {
      table_description: "It's one row",
      table_tags: { domain: "sales" },
      columns: [
        { column: "Email", description: "Where the receipt goes", column_tags: { pii: null } },
        { column: "order_id", description: "Key" },
      ],
    };
    assert.equal((await change(wanted)).changed, true);
    assert.deepEqual(sql.statements.slice(before), [
      "COMMENT ON TABLE shop.sales.orders IS 'It\\'s one row'",
      "ALTER TABLE shop.sales.orders SET TAGS ('domain' = 'sales')",
      "ALTER TABLE shop.sales.orders ALTER COLUMN email UNSET TAGS ('pii')",
      "COMMENT ON COLUMN shop.sales.orders.order_id IS 'Key'",
    ]);
    const same = { columns: [{ column: "email", description: "Where the receipt goes" }] };
    assert.equal((await change(same)).changed, false);
    await refused(change({ columns: [{ column: "emial", description: "x" }] }), 409, /Did you mean email\?/);
  });

  test("if a statement fails, those before it are taken back", async () => {
    sql.run = (text) =>
      text.includes("SET TAGS ('domain'")
        ? { error: "[PERMISSION_DENIED] no APPLY TAG" }
        : { columns: [], rows: [] };
    const before = sql.statements.length;
    await refused(
      change({ table_description: "New", table_tags: { domain: "x" } }),
      409,
      "[PERMISSION_DENIED] no APPLY TAG",
    );
    assert.deepEqual(sql.statements.slice(before), [
      "COMMENT ON TABLE shop.sales.orders IS 'New'",
      "ALTER TABLE shop.sales.orders SET TAGS ('domain' = 'x')",
      "ALTER TABLE shop.sales.orders UNSET TAGS ('domain')",
      "COMMENT ON TABLE shop.sales.orders IS 'Orders'",
    ]);
    sql.run = () => ({ columns: [], rows: [] });
  });

  test("#6: a generated artifact is applied, and its undo has what the catalog says now", async () => {
    const { artifacts } = await server.client.generateAlterMetadata({
      body: {
        catalog_name: "shop",
        schema_name: "sales",
        table_name: "orders",
        change: { table_description: "New", table_tags: {}, columns: [] },
      },
      environment,
    });
    const artifact = (end: string) => artifacts.find(({ path }) => path.endsWith(end))?.content ?? "";
    assert.match(artifact("/undo.sql"), /'Orders'/);
    const apply = (text: string) => server.client.changeMetadata({ body: { artifact: text }, environment });
    assert.equal((await apply(artifact("/alter.sql"))).changed, true);
    assert.equal(sql.statements.at(-1), "COMMENT ON TABLE shop.sales.orders IS 'New'");
    const before = sql.statements.length;
    await refused(apply("DROP TABLE shop.sales.orders;"), 409, /^Line 1, column 1/);
    assert.equal(sql.statements.length, before);
  });

  test("a large result is read from the storage, without the workspace's token", async (t) => {
    const large = await startTestServer({
      settings: { PLATFORM_QUERY_ANSWER_BYTES: String(64 * 1024 * 1024) },
    });
    t.after(large.close);
    const id = await databricksEnvironment(large, workspace);
    sql.chunkRows = 2;
    sql.run = () => ({ columns: [["n", "INT"]], rows: [["1"], ["2"], ["3"]] });
    const { rows } = await large.client.runQuery({ body: { sql: "select n from t" }, environment: id });
    assert.deepEqual(rows.flat(), [1, 2, 3]);
    const links = workspace.requests.filter(({ line }) => line.startsWith("GET /external/"));
    assert.deepEqual(
      links.map(({ authorization }) => authorization),
      [undefined, undefined],
    );
    assert.doesNotMatch(large.logged.join(""), /\/external\//);
    sql.chunkRows = 1000;
  });

  test("tables alter is refused with what to do instead, and sends nothing to the workspace", async () => {
    const before = sql.statements.length;
    const changes = [{ change: "drop" as const, column: "email" }];
    const instead = /cannot change the columns of tables: run ALTER TABLE in an SQL editor of the workspace/;
    for (const table of ["orders", "shop.sales.orders"]) {
      await refused(
        server.client.planTableAlteration({ body: { table, changes }, environment }),
        409,
        instead,
      );
      await refused(
        server.client.alterTable({ body: { table, changes, force: true }, environment }),
        409,
        instead,
      );
    }
    assert.equal(sql.statements.length, before);
  });

  test("what a workspace cannot do is refused with a sentence", async () => {
    await refused(query("select 1", { dialect: "duckdb" }), 409, /runs only Databricks SQL/);
    const without = await databricksEnvironment(server, workspace, { warehouse_id: null });
    const none = server.client.runQuery({ body: { sql: "select 1" }, environment: without });
    await refused(none, 409, /has no SQL warehouse/);
  });
});

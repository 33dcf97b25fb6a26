/** Updates of each kind of dataset on a real warehouse: repeated, failed and with full refresh. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { TableUpdateStatus } from "../protocol/pipeline.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

/** `totals completed +3 ~0 -1` */
const summary = ({ name, state, rows_added, rows_updated, rows_removed }: TableUpdateStatus): string =>
  `${name.split(".").at(-1)} ${state} +${rows_added} ~${rows_updated} -${rows_removed}`;

const orders =
  "CREATE TABLE orders (id INT, customer STRING, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'ada', 9.50), (2, 'bob', 12.00), (3, NULL, -1.00);";

suite("materialized views", () => {
  test("the first update knows the types of tables that it creates itself, so the second one changes nothing", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(
      "CREATE TABLE paid (id INT, amount DECIMAL(10,2)); INSERT INTO paid VALUES (1, 1.50), (1, 2.50);",
    );
    const code = `
      CREATE MATERIALIZED VIEW total AS SELECT id, sum(amount) AS paid, sum(amount) / 3 AS third FROM clean GROUP BY id;
      CREATE MATERIALIZED VIEW clean AS SELECT id, amount FROM paid;`;
    await harness.update(code);
    await harness.update(code);
    const changes = harness.tables.map(({ rows_added, rows_removed }) => rows_added + rows_removed);
    assert.deepEqual(changes, [0, 0]);
    assert.deepEqual(
      await harness.internalRows(
        "SELECT data_type FROM duckdb_columns() WHERE table_name = 'total' AND column_name <> 'id' ORDER BY ALL",
      ),
      ["DECIMAL(20,2)", "DECIMAL(24,6)"],
    );
  });

  const totals = `CREATE OR REFRESH MATERIALIZED VIEW totals (customer COMMENT 'Who', total) COMMENT 'By customer'
AS SELECT customer, sum(amount) AS total FROM orders GROUP BY customer;`;

  test("are written only if their rows changed", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const first = await harness.update(totals);
    assert.deepEqual(first.tables.map(summary), ["totals completed +3 ~0 -0"]);
    assert.deepEqual(first.changed, ["shop.sales.totals"]);
    assert.deepEqual(await harness.rows("SELECT * FROM totals"), [" -1.00", "ada 9.50", "bob 12.00"]);
    const versions = "SELECT version, rewritten FROM shop._lakehelm.versions WHERE \"table\" = 'totals'";
    assert.deepEqual(await harness.internalRows(versions), ["1 1"]);
    assert.deepEqual((await harness.update(totals)).changed, []);
    assert.deepEqual(await harness.internalRows(versions), ["1 1"]);
    await harness.run("INSERT INTO orders VALUES (4, 'eve', 1.00)");
    assert.deepEqual((await harness.update(totals)).tables.map(summary), ["totals completed +1 ~0 -0"]);
    assert.deepEqual(await harness.internalRows(versions), ["2 1"], "rows were only added");
    await harness.run("INSERT INTO orders VALUES (5, 'ada', 0.50)");
    assert.deepEqual((await harness.update(totals)).tables.map(summary), ["totals completed +1 ~0 -1"]);
    assert.deepEqual(await harness.internalRows(versions), ["3 3"]);
    assert.deepEqual(await harness.rows("SELECT * FROM totals WHERE customer = 'ada'"), ["ada 10.00"]);
  });

  test("get the new columns of their SELECT, and the declared comments", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    await harness.update(totals);
    const comments = `SELECT comment FROM duckdb_tables() WHERE table_name = 'totals'
UNION ALL SELECT comment FROM duckdb_columns() WHERE table_name = 'totals' AND column_name = 'customer'`;
    assert.deepEqual(await harness.internalRows(comments), ["By customer", "Who"]);
    await harness.update(
      totals.replace("total)", "total, n)").replace("AS total", "AS total, count(*) AS n"),
    );
    assert.deepEqual(await harness.rows("SELECT customer, n FROM totals WHERE n IS NOT NULL"), [
      " 1",
      "ada 1",
      "bob 1",
    ]);
    assert.deepEqual(await harness.internalRows(comments), ["By customer", "Who"]);
  });
});

suite("streaming tables", () => {
  const clean = `CREATE OR REFRESH STREAMING TABLE clean AS SELECT id, customer, amount FROM STREAM(orders);`;
  const counted = `${clean} CREATE MATERIALIZED VIEW how_many AS SELECT count(*) AS n FROM clean;`;

  test("read each new row once", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    assert.deepEqual((await harness.update(counted)).tables.map(summary), [
      "clean completed +3 ~0 -0",
      "how_many completed +1 ~0 -0",
    ]);
    assert.deepEqual((await harness.update(counted)).changed, []);
    await harness.run("INSERT INTO orders VALUES (4, 'eve', 4.00)");
    await harness.update(counted);
    assert.deepEqual(await harness.rows("SELECT id FROM clean"), ["1", "2", "3", "4"]);
    assert.deepEqual(harness.lines, [
      "shop.sales.clean: 1 row added.",
      "shop.sales.how_many: 1 row added, 1 removed.",
    ]);
  });

  test("fail if rows of their source were changed, until a full refresh", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    await harness.update(counted);
    await harness.run("UPDATE orders SET amount = 1 WHERE id = 3");
    const sentence = await harness.errorMessage(harness.update(counted));
    assert.match(sentence, /^shop\.sales\.clean: Rows of shop\.sales\.orders were changed or removed/);
    assert.match(
      sentence,
      /: lakehelm pipelines run \S+ --full-refresh-selection shop\.sales\.clean\n1 skipped/,
    );
    assert.deepEqual(harness.tables.map(summary), ["clean failed +0 ~0 -0", "how_many skipped +0 ~0 -0"]);
    assert.deepEqual((await harness.update(counted, { fullRefresh: ["clean"] })).tables.map(summary), [
      "clean completed +3 ~0 -3",
      "how_many completed +0 ~0 -0",
    ]);
    assert.deepEqual(await harness.rows("SELECT amount FROM clean WHERE id = 3"), ["1.00"]);
    // A new table with the same name counts as changed.
    await harness.run(`DROP TABLE orders; ${orders}`);
    assert.match(await harness.errorMessage(harness.update(counted)), /--full-refresh-selection/);
  });

  test("get new columns; a removed column or a changed type needs a full refresh", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    await harness.update(clean);
    const wider = clean.replace("amount FROM", "amount, upper(customer) AS loud FROM");
    await harness.update(wider);
    await harness.run("INSERT INTO orders VALUES (4, 'eve', 4.00)");
    await harness.update(wider);
    assert.deepEqual(await harness.rows("SELECT id, loud FROM clean WHERE id > 2"), ["3 ", "4 EVE"]);
    assert.match(
      await harness.errorMessage(harness.update(clean)),
      /No flow provides the column loud of shop\.sales\.clean\. To empty/,
    );
    const other = wider.replace("SELECT id,", "SELECT CAST(id AS STRING) AS id,");
    assert.match(
      await harness.errorMessage(harness.update(other)),
      /The type of the column id of shop\.sales\.clean would change from INT to STRING/,
    );
    await harness.update(other, { fullRefresh: "all" });
    assert.deepEqual(await harness.rows("SELECT id FROM clean WHERE id = '4'"), ["4"]);
  });

  test("can have several flows with their own checkpoints, and flows that run once", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(
      `${orders} CREATE TABLE old_orders (id INT, note STRING); INSERT INTO old_orders VALUES (-1, 'old')`,
    );
    const both = `CREATE STREAMING TABLE both_orders;
CREATE FLOW now AS INSERT INTO both_orders BY NAME SELECT id, customer FROM STREAM(orders);
CREATE FLOW before AS INSERT INTO ONCE both_orders BY NAME SELECT id, note FROM old_orders;`;
    await harness.update(both);
    await harness.run(
      "INSERT INTO orders VALUES (4, 'eve', 4.00); INSERT INTO old_orders VALUES (-2, 'older')",
    );
    await harness.update(both);
    assert.deepEqual(await harness.rows("SELECT id, customer, note FROM both_orders"), [
      "-1  old",
      "1 ada ",
      "2 bob ",
      "3  ",
      "4 eve ",
    ]);
    await harness.update(both, { fullRefresh: ["sales.both_orders"] });
    assert.equal((await harness.rows("SELECT id FROM both_orders")).length, 6);
  });
});

suite("expectations", () => {
  test("count, drop rows, or fail the update; a condition that is NULL counts as violated", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const checked = `CREATE STREAMING TABLE judged (
CONSTRAINT positive EXPECT (amount > 0) ON VIOLATION DROP ROW,
CONSTRAINT named EXPECT (judged.customer <> 'bob'))
AS SELECT * FROM STREAM(orders);`;
    const [table] = (await harness.update(checked)).tables;
    assert.deepEqual(table?.expectations, [
      { name: "positive", action: "drop", passed: 2, failed: 1 },
      { name: "named", action: "keep", passed: 1, failed: 2 },
    ]);
    assert.equal(table?.rows_dropped, 1);
    assert.deepEqual(harness.lines, [
      "shop.sales.judged: 2 rows added, 1 dropped by positive, 2 do not meet named.",
    ]);
    const strict = checked.replace("DROP ROW", "FAIL UPDATE");
    assert.match(
      await harness.errorMessage(harness.update(strict, { fullRefresh: "all" })),
      /1 of 3 rows of shop\.sales\.judged does not meet the expectation positive, so nothing was written\. Look for such rows .* ON VIOLATION DROP ROW\.$/,
    );
    assert.deepEqual(await harness.rows("SELECT id FROM judged"), ["1", "2"], "unchanged");
  });
});

suite("views and private tables", () => {
  const layered = `
CREATE TEMPORARY VIEW fresh (CONSTRAINT known EXPECT (customer IS NOT NULL) ON VIOLATION DROP ROW)
AS SELECT * FROM STREAM(orders);
CREATE PRIVATE STREAMING TABLE hidden AS SELECT * FROM STREAM(fresh);
CREATE VIEW shown AS SELECT hidden.id, hidden.amount * 2 AS twice FROM sales.hidden;
CREATE MATERIALIZED VIEW top AS SELECT max(twice) AS most FROM shown;`;

  test("queries can read views, but not temporary views and private tables", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const first = await harness.update(layered);
    assert.deepEqual(first.changed, ["shop.sales.top"]);
    assert.equal(first.tables[0]?.expectations[0]?.failed, 1);
    assert.deepEqual(await harness.rows("SELECT * FROM shown"), ["1 19.00", "2 24.00"]);
    for (const hidden of ["fresh", "hidden"])
      assert.match(await harness.errorMessage(harness.rows(`SELECT * FROM ${hidden}`)), /there is no table/);
    await harness.run("INSERT INTO orders VALUES (4, 'eve', 100.00)");
    await harness.update(layered);
    assert.deepEqual(await harness.rows("SELECT * FROM top"), ["200.00"]);
    assert.deepEqual(await harness.rows("SELECT id FROM shown"), ["1", "2", "4"]);
  });

  test("can be in a catalog called main, a name that DuckDB reserves", async (t) => {
    const harness = await openPipelineHarness(t);
    const scope = { environment: "test", catalog: "main", schema: "default" };
    await harness.run(
      "CREATE TABLE orders (id INT, customer STRING, amount INT); INSERT INTO orders VALUES (1, 'ada', 2)",
      { scope },
    );
    await harness.update(layered.replaceAll("sales.", "main.default."), { scope });
    assert.deepEqual(await harness.rows("SELECT most FROM main.default.top"), ["4"]);
  });
});

suite("an update", () => {
  test("repeats only steps that an earlier attempt did not complete", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(`${orders} CREATE TABLE log (n BIGINT)`);
    const code = `CREATE STREAMING TABLE a AS SELECT * FROM STREAM(orders);
INSERT INTO log SELECT count(*) FROM a;
CREATE MATERIALIZED VIEW b (CONSTRAINT few EXPECT (n < 3) ON VIOLATION FAIL UPDATE) AS SELECT count(*) AS n FROM a;
CREATE MATERIALIZED VIEW c AS SELECT n FROM b; CREATE MATERIALIZED VIEW apart AS SELECT 1 AS one;`;
    assert.match(
      await harness.errorMessage(harness.update(code, { update: "u" })),
      /^shop\.sales\.b: 1 of 1 row /,
    );
    assert.deepEqual(
      harness.tables.map(({ name, state }) => `${name.split(".").at(-1)} ${state}`),
      ["a completed", "log completed", "b failed", "c skipped", "apart completed"],
    );
    await harness.update(code.replace("n < 3", "n < 4"), { update: "u" });
    assert.deepEqual(await harness.rows("SELECT n FROM log"), ["3"]);
    assert.equal(harness.lines[0], "shop.sales.a: already completed by an earlier attempt.");
    assert.deepEqual(await harness.rows("SELECT n FROM c"), ["3"]);
  });

  test("of selected tables leaves the others unchanged", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const code = `CREATE MATERIALIZED VIEW a AS SELECT count(*) AS n FROM orders;
CREATE MATERIALIZED VIEW b AS SELECT n FROM a; CREATE TABLE IF NOT EXISTS t (n INT);`;
    assert.match(
      await harness.errorMessage(harness.update(code, { refresh: ["b"] })),
      /It reads shop\.sales\.a, which does not exist yet/,
    );
    await harness.update(code, { refresh: ["sales.a"] });
    assert.deepEqual(
      harness.tables.map(({ state }) => state),
      ["completed", "excluded", "excluded"],
    );
    assert.match(
      await harness.errorMessage(harness.update(code, { refresh: ["bb"] })),
      /The pipeline has no table "bb"/,
    );
  });

  test("never changes a table that its pipeline does not own", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    await harness.update("CREATE MATERIALIZED VIEW mine AS SELECT 1 AS one");
    const other = { pipeline: "p2" };
    assert.match(
      await harness.errorMessage(harness.update("CREATE MATERIALIZED VIEW mine AS SELECT 2 AS one", other)),
      /^orders\.sql:1:26: the table shop\.sales\.mine already exists and belongs to the pipeline p1/,
    );
    assert.match(
      await harness.errorMessage(
        harness.update("CREATE OR REFRESH STREAMING TABLE orders AS SELECT 2 AS one FROM STREAM(mine)"),
      ),
      /orders already exists and was not created by a pipeline/,
    );
    assert.match(
      await harness.errorMessage(harness.run("DELETE FROM mine")),
      /owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
    await harness.update("DROP TABLE mine");
    await harness.update("CREATE MATERIALIZED VIEW mine AS SELECT 2 AS one", other);
    assert.deepEqual(await harness.rows("SELECT one FROM mine"), ["2"]);
  });

  test("stops at once when it is aborted, and rolls back the current table", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const controller = new AbortController();
    const endless = `CREATE MATERIALIZED VIEW a AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW b AS SELECT count(*) AS n FROM range(100000000000);`;
    const work = harness.errorMessage(harness.update(endless, { signal: controller.signal }));
    await until(() => harness.tables[1]?.state === "running");
    controller.abort(new Error("enough"));
    assert.equal(await work, "enough");
    assert.deepEqual(await harness.rows("SELECT one FROM a"), ["1"]);
    assert.match(await harness.errorMessage(harness.rows("SELECT n FROM b")), /there is no table/);
  });
});

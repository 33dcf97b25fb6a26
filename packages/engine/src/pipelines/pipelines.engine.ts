/** Pipelines on a real warehouse: what each kind of dataset does, twice, refused and begun anew. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { TableUpdateStatus } from "../protocol/pipeline.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

/** `totals completed +3 ~0 -1` */
const told = ({ name, state, rows_added, rows_updated, rows_removed }: TableUpdateStatus): string =>
  `${name.split(".").at(-1)} ${state} +${rows_added} ~${rows_updated} -${rows_removed}`;

const orders =
  "CREATE TABLE orders (id INT, customer STRING, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'ada', 9.50), (2, 'bob', 12.00), (3, NULL, -1.00);";

suite("materialized views", () => {
  const totals = `CREATE OR REFRESH MATERIALIZED VIEW totals (customer COMMENT 'Who', total) COMMENT 'By customer'
AS SELECT customer, sum(amount) AS total FROM orders GROUP BY customer;`;

  test("are left alone while nothing changes, and replaced when something did", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    const first = await bench.update(totals);
    assert.deepEqual(first.tables.map(told), ["totals completed +3 ~0 -0"]);
    assert.deepEqual(first.changed, ["shop.sales.totals"]);
    assert.deepEqual(await bench.rows("SELECT * FROM totals"), [" -1.00", "ada 9.50", "bob 12.00"]);
    const versions = "SELECT version, rewritten FROM shop._lakehelm.versions WHERE \"table\" = 'totals'";
    assert.deepEqual(await bench.own(versions), ["1 1"]);
    assert.deepEqual((await bench.update(totals)).changed, []);
    assert.deepEqual(await bench.own(versions), ["1 1"]);
    await bench.run("INSERT INTO orders VALUES (4, 'eve', 1.00)");
    assert.deepEqual((await bench.update(totals)).tables.map(told), ["totals completed +1 ~0 -0"]);
    assert.deepEqual(await bench.own(versions), ["2 1"], "rows were only added");
    await bench.run("INSERT INTO orders VALUES (5, 'ada', 0.50)");
    assert.deepEqual((await bench.update(totals)).tables.map(told), ["totals completed +1 ~0 -1"]);
    assert.deepEqual(await bench.own(versions), ["3 3"]);
    assert.deepEqual(await bench.rows("SELECT * FROM totals WHERE customer = 'ada'"), ["ada 10.00"]);
  });

  test("follow their SELECT when it gives other columns, and say what their author says of them", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    await bench.update(totals);
    const comments = `SELECT comment FROM duckdb_tables() WHERE table_name = 'totals'
UNION ALL SELECT comment FROM duckdb_columns() WHERE table_name = 'totals' AND column_name = 'customer'`;
    assert.deepEqual(await bench.own(comments), ["By customer", "Who"]);
    await bench.update(totals.replace("total)", "total, n)").replace("AS total", "AS total, count(*) AS n"));
    assert.deepEqual(await bench.rows("SELECT customer, n FROM totals WHERE n IS NOT NULL"), [
      " 1",
      "ada 1",
      "bob 1",
    ]);
    assert.deepEqual(await bench.own(comments), ["By customer", "Who"]);
  });
});

suite("streaming tables", () => {
  const clean = `CREATE OR REFRESH STREAMING TABLE clean AS SELECT id, customer, amount FROM STREAM(orders);`;
  const counted = `${clean} CREATE MATERIALIZED VIEW how_many AS SELECT count(*) AS n FROM clean;`;

  test("take what is new, once", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    assert.deepEqual((await bench.update(counted)).tables.map(told), [
      "clean completed +3 ~0 -0",
      "how_many completed +1 ~0 -0",
    ]);
    assert.deepEqual((await bench.update(counted)).changed, []);
    await bench.run("INSERT INTO orders VALUES (4, 'eve', 4.00)");
    await bench.update(counted);
    assert.deepEqual(await bench.rows("SELECT id FROM clean"), ["1", "2", "3", "4"]);
    assert.deepEqual(bench.lines, [
      "shop.sales.clean: 1 row added.",
      "shop.sales.how_many: 1 row added, 1 removed.",
    ]);
  });

  test("say so when rows of their source were changed, and begin anew with a full refresh", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    await bench.update(counted);
    await bench.run("UPDATE orders SET amount = 1 WHERE id = 3");
    const sentence = await bench.errorMessage(bench.update(counted));
    assert.match(sentence, /^shop\.sales\.clean: Rows of shop\.sales\.orders were changed or removed/);
    assert.match(sentence, /Run a full refresh of shop\.sales\.clean\.\n1 skipped/);
    assert.deepEqual(bench.tables.map(told), ["clean failed +0 ~0 -0", "how_many skipped +0 ~0 -0"]);
    assert.deepEqual((await bench.update(counted, { fullRefresh: ["clean"] })).tables.map(told), [
      "clean completed +3 ~0 -3",
      "how_many completed +0 ~0 -0",
    ]);
    assert.deepEqual(await bench.rows("SELECT amount FROM clean WHERE id = 3"), ["1.00"]);
    // A table of the same name is another one.
    await bench.run(`DROP TABLE orders; ${orders}`);
    assert.match(await bench.errorMessage(bench.update(counted)), /Run a full refresh/);
  });

  test("get new columns; one that is gone, or of another type, needs a full refresh", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    await bench.update(clean);
    const wider = clean.replace("amount FROM", "amount, upper(customer) AS loud FROM");
    await bench.update(wider);
    await bench.run("INSERT INTO orders VALUES (4, 'eve', 4.00)");
    await bench.update(wider);
    assert.deepEqual(await bench.rows("SELECT id, loud FROM clean WHERE id > 2"), ["3 ", "4 EVE"]);
    assert.match(
      await bench.errorMessage(bench.update(clean)),
      /has a column loud that no flow provides any more\. Run a full refresh/,
    );
    const other = wider.replace("SELECT id,", "SELECT CAST(id AS STRING) AS id,");
    assert.match(
      await bench.errorMessage(bench.update(other)),
      /The type of the column id of shop\.sales\.clean would change from INT to STRING/,
    );
    await bench.update(other, { fullRefresh: "all" });
    assert.deepEqual(await bench.rows("SELECT id FROM clean WHERE id = '4'"), ["4"]);
  });

  test("are filled by several flows, each with its own place, and by some only once", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(
      `${orders} CREATE TABLE old_orders (id INT, note STRING); INSERT INTO old_orders VALUES (-1, 'old')`,
    );
    const both = `CREATE STREAMING TABLE both_orders;
CREATE FLOW now AS INSERT INTO both_orders BY NAME SELECT id, customer FROM STREAM(orders);
CREATE FLOW before AS INSERT INTO ONCE both_orders BY NAME SELECT id, note FROM old_orders;`;
    await bench.update(both);
    await bench.run(
      "INSERT INTO orders VALUES (4, 'eve', 4.00); INSERT INTO old_orders VALUES (-2, 'older')",
    );
    await bench.update(both);
    assert.deepEqual(await bench.rows("SELECT id, customer, note FROM both_orders"), [
      "-1  old",
      "1 ada ",
      "2 bob ",
      "3  ",
      "4 eve ",
    ]);
    await bench.update(both, { fullRefresh: ["sales.both_orders"] });
    assert.equal((await bench.rows("SELECT id FROM both_orders")).length, 6);
  });
});

suite("expectations", () => {
  test("count, leave rows out, or fail; what is NULL is not met", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    const judged = `CREATE STREAMING TABLE judged (
CONSTRAINT positive EXPECT (amount > 0) ON VIOLATION DROP ROW,
CONSTRAINT named EXPECT (judged.customer <> 'bob'))
AS SELECT * FROM STREAM(orders);`;
    const [table] = (await bench.update(judged)).tables;
    assert.deepEqual(table?.expectations, [
      { name: "positive", action: "drop", passed: 2, failed: 1 },
      { name: "named", action: "keep", passed: 1, failed: 2 },
    ]);
    assert.equal(table?.rows_dropped, 1);
    assert.deepEqual(bench.lines, [
      "shop.sales.judged: 2 rows added, 1 dropped by positive, 2 do not meet named.",
    ]);
    const strict = judged.replace("DROP ROW", "FAIL UPDATE");
    assert.match(
      await bench.errorMessage(bench.update(strict, { fullRefresh: "all" })),
      /1 of 3 rows of shop\.sales\.judged do not meet the expectation positive, so nothing was written\. For example: \{"id":3,/,
    );
    assert.deepEqual(await bench.rows("SELECT id FROM judged"), ["1", "2"], "as it was");
  });
});

suite("views and what nobody else sees", () => {
  const layered = `
CREATE TEMPORARY VIEW fresh (CONSTRAINT known EXPECT (customer IS NOT NULL) ON VIOLATION DROP ROW)
AS SELECT * FROM STREAM(orders);
CREATE PRIVATE STREAMING TABLE hidden AS SELECT * FROM STREAM(fresh);
CREATE VIEW shown AS SELECT hidden.id, hidden.amount * 2 AS twice FROM sales.hidden;
CREATE MATERIALIZED VIEW top AS SELECT max(twice) AS most FROM shown;`;

  test("views are there for queries, temporary views and private tables are not", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    const first = await bench.update(layered);
    assert.deepEqual(first.changed, ["shop.sales.top"]);
    assert.equal(first.tables[0]?.expectations[0]?.failed, 1);
    assert.deepEqual(await bench.rows("SELECT * FROM shown"), ["1 19.00", "2 24.00"]);
    for (const hidden of ["fresh", "hidden"])
      assert.match(await bench.errorMessage(bench.rows(`SELECT * FROM ${hidden}`)), /there is no table/);
    await bench.run("INSERT INTO orders VALUES (4, 'eve', 100.00)");
    await bench.update(layered);
    assert.deepEqual(await bench.rows("SELECT * FROM top"), ["200.00"]);
    assert.deepEqual(await bench.rows("SELECT id FROM shown"), ["1", "2", "4"]);
  });

  test("the catalog may be called main, as DuckDB calls its own", async (t) => {
    const bench = await openPipelineHarness(t);
    const scope = { environment: "test", catalog: "main", schema: "default" };
    await bench.run(
      "CREATE TABLE orders (id INT, customer STRING, amount INT); INSERT INTO orders VALUES (1, 'ada', 2)",
      { scope },
    );
    await bench.update(layered.replaceAll("sales.", "main.default."), { scope });
    assert.deepEqual(await bench.rows("SELECT most FROM main.default.top"), ["4"]);
  });
});

suite("an update", () => {
  test("does again only what an earlier attempt has not done", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(`${orders} CREATE TABLE log (n BIGINT)`);
    const code = `CREATE STREAMING TABLE a AS SELECT * FROM STREAM(orders);
INSERT INTO log SELECT count(*) FROM a;
CREATE MATERIALIZED VIEW b (CONSTRAINT few EXPECT (n < 3) ON VIOLATION FAIL UPDATE) AS SELECT count(*) AS n FROM a;
CREATE MATERIALIZED VIEW c AS SELECT n FROM b; CREATE MATERIALIZED VIEW apart AS SELECT 1 AS one;`;
    assert.match(
      await bench.errorMessage(bench.update(code, { update: "u" })),
      /^shop\.sales\.b: 1 of 1 rows/,
    );
    assert.deepEqual(
      bench.tables.map(({ name, state }) => `${name.split(".").at(-1)} ${state}`),
      ["a completed", "log completed", "b failed", "c skipped", "apart completed"],
    );
    await bench.update(code.replace("n < 3", "n < 4"), { update: "u" });
    assert.deepEqual(await bench.rows("SELECT n FROM log"), ["3"]);
    assert.equal(bench.lines[0], "shop.sales.a: already completed by an earlier attempt.");
    assert.deepEqual(await bench.rows("SELECT n FROM c"), ["3"]);
  });

  test("of some tables leaves the others as they are", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    const code = `CREATE MATERIALIZED VIEW a AS SELECT count(*) AS n FROM orders;
CREATE MATERIALIZED VIEW b AS SELECT n FROM a; CREATE TABLE IF NOT EXISTS t (n INT);`;
    assert.match(
      await bench.errorMessage(bench.update(code, { refresh: ["b"] })),
      /It reads shop\.sales\.a, which does not exist yet/,
    );
    await bench.update(code, { refresh: ["sales.a"] });
    assert.deepEqual(
      bench.tables.map(({ state }) => state),
      ["completed", "excluded", "excluded"],
    );
    assert.match(
      await bench.errorMessage(bench.update(code, { refresh: ["bb"] })),
      /The pipeline has no table "bb"/,
    );
  });

  test("never touches what is not its own", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    await bench.update("CREATE MATERIALIZED VIEW mine AS SELECT 1 AS one");
    const other = { pipeline: "p2" };
    assert.match(
      await bench.errorMessage(bench.update("CREATE MATERIALIZED VIEW mine AS SELECT 2 AS one", other)),
      /^orders\.sql:1:26: the table shop\.sales\.mine already exists and belongs to the pipeline p1/,
    );
    assert.match(
      await bench.errorMessage(
        bench.update("CREATE OR REFRESH STREAMING TABLE orders AS SELECT 2 AS one FROM STREAM(mine)"),
      ),
      /orders already exists and was not created by a pipeline/,
    );
    assert.match(
      await bench.errorMessage(bench.run("DELETE FROM mine")),
      /owned by the pipeline p1\. Only updates of that pipeline can change it/,
    );
    await bench.update("DROP TABLE mine");
    await bench.update("CREATE MATERIALIZED VIEW mine AS SELECT 2 AS one", other);
    assert.deepEqual(await bench.rows("SELECT one FROM mine"), ["2"]);
  });

  test("is stopped at once, and nothing half done remains", async (t) => {
    const bench = await openPipelineHarness(t);
    await bench.run(orders);
    const stopper = new AbortController();
    const endless = `CREATE MATERIALIZED VIEW a AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW b AS SELECT count(*) AS n FROM range(100000000000);`;
    const work = bench.errorMessage(bench.update(endless, { signal: stopper.signal }));
    await until(() => bench.tables[1]?.state === "running");
    stopper.abort(new Error("enough"));
    assert.equal(await work, "enough");
    assert.deepEqual(await bench.rows("SELECT one FROM a"), ["1"]);
    assert.match(await bench.errorMessage(bench.rows("SELECT n FROM b")), /there is no table/);
  });
});

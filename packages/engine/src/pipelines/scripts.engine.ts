/** Scripts of tasks: statements with parameters in one transaction, run once per idempotency key. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const harness = await openPipelineHarness({ after });

const orders =
  "CREATE OR REPLACE TABLE orders (id INT, customer STRING, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'ada', 9.50), (2, 'bob', 12.00), (3, NULL, -1.00);";
const all = () => harness.rows("SELECT * FROM orders");

suite("statements", () => {
  test("change rows as in Databricks, and count them", async () => {
    const { inserted, updated, deleted, changed, rows } = await harness.run(`${orders}
      UPDATE orders AS o SET o.amount = CASE WHEN o.id = 1 THEN 5 ELSE o.amount * 2 END, customer = upper(customer) WHERE id < 3;
      DELETE FROM sales.orders WHERE customer IS NULL OR id IN (SELECT max(id) + 7 FROM orders);
      SELECT id, customer, amount FROM orders ORDER BY id`);
    assert.deepEqual(
      { inserted, updated, deleted, changed },
      {
        inserted: 3,
        updated: 2,
        deleted: 1,
        changed: ["shop.sales.orders"],
      },
    );
    assert.deepEqual(rows, [
      [1, "ADA", "5.00"],
      [2, "BOB", "24.00"],
    ]);
  });

  test("MERGE supports conditions and *, and fails if a row matches several source rows", async () => {
    await harness.run(orders);
    await harness.run(`MERGE INTO orders AS t USING (SELECT 1 AS id, 'x' AS customer, 3.0 AS amount UNION ALL SELECT 9, 'new', 1) AS s
      ON t.id = s.id WHEN MATCHED AND s.amount > 100 THEN DELETE
      WHEN MATCHED THEN UPDATE SET customer = concat(s.customer, t.customer)
      WHEN NOT MATCHED THEN INSERT (id, customer, amount) VALUES (s.id, s.customer, s.amount)
      WHEN NOT MATCHED BY SOURCE AND t.id = 3 THEN DELETE`);
    assert.deepEqual(await all(), ["1 xada 9.50", "2 bob 12.00", "9 new 1.00"]);
    const { inserted, updated, deleted } = await harness.run(`MERGE INTO orders t
      USING (SELECT amount, id, customer FROM orders WHERE id < 9 UNION ALL SELECT 0, 10, 'ten') s ON t.id = s.id
      WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE`);
    assert.deepEqual([inserted, updated, deleted], [1, 2, 1]);
    assert.deepEqual(await all(), ["1 xada 9.50", "10 ten 0.00", "2 bob 12.00"]);
    const twice =
      "MERGE INTO orders t USING (SELECT 1 AS id UNION ALL SELECT 1) s ON t.id = s.id WHEN MATCHED THEN";
    assert.match(
      await harness.errorMessage(harness.run(`${twice} UPDATE SET amount = 0`)),
      /matches more than one row of the source/,
    );
    assert.equal((await harness.run(`${twice} DELETE`)).deleted, 1);
  });

  test("create, fill, alter, describe and drop tables", async () => {
    const { rows, changed } = await harness.run(`${orders}
      CREATE TABLE copy AS SELECT id, amount FROM orders;
      ALTER TABLE copy ADD COLUMNS (note STRING COMMENT 'Why');
      INSERT OVERWRITE copy SELECT id, amount, 'kept' FROM copy WHERE id > 1;
      INSERT INTO copy BY NAME SELECT 'named' AS note, 7 AS id;
      COMMENT ON TABLE copy IS 'A copy'; CREATE SCHEMA IF NOT EXISTS shop.more;
      CREATE TABLE IF NOT EXISTS shop.more.copies (n BIGINT NOT NULL) COMMENT 'Many';
      INSERT INTO shop.more.copies SELECT count(*) FROM copy; TRUNCATE TABLE orders;
      SELECT id, note FROM copy ORDER BY id`);
    assert.deepEqual(rows, [
      [2, "kept"],
      [3, "kept"],
      [7, "named"],
    ]);
    assert.deepEqual(changed, ["shop.sales.orders", "shop.sales.copy", "shop.more.copies"]);
    assert.deepEqual(
      await harness.internalRows(
        "SELECT comment FROM duckdb_tables() WHERE table_name IN ('copy', 'copies') ORDER BY 1",
      ),
      ["A copy", "Many"],
    );
    await harness.run("DROP TABLE copy; DROP TABLE IF EXISTS copy");
    assert.match(await harness.errorMessage(harness.rows("SELECT * FROM copy")), /there is no table/);
  });

  test("record whether existing rows changed", async () => {
    const changes = async (sql: string) => {
      const versions = "SELECT version - rewritten FROM shop._lakehelm.versions WHERE \"table\" = 'orders'";
      await harness.run(sql);
      return harness.internalRows(versions);
    };
    assert.deepEqual(await changes(orders), ["1"], "created again, then appended to");
    assert.deepEqual(await changes("INSERT INTO orders VALUES (4, 'eve', 1)"), ["2"]);
    assert.deepEqual(
      await changes("UPDATE orders SET amount = 1 WHERE id = 99"),
      ["2"],
      "nothing was changed",
    );
    assert.deepEqual(
      await changes(
        "MERGE INTO orders t USING (SELECT 5 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
      ),
      ["3"],
    );
    assert.deepEqual(await changes("ALTER TABLE orders ADD COLUMN note STRING"), ["4"]);
    assert.deepEqual(await changes("DELETE FROM orders WHERE id = 5"), ["0"]);
    assert.deepEqual(await changes("INSERT OVERWRITE orders SELECT * FROM orders"), ["0"]);
  });
});

suite("a script", () => {
  test("runs once per idempotency key, and a repeated request gets the same result", async () => {
    await harness.run(orders);
    const sql = "INSERT INTO orders VALUES (4, 'eve', 4); SELECT count(*) AS n FROM orders";
    const first = await harness.run(sql, { idempotencyKey: "once" });
    assert.equal(first.value, 4);
    await harness.run("DELETE FROM orders");
    assert.deepEqual(await harness.run(sql, { idempotencyKey: "once" }), first);
    const create = "CREATE TABLE fresh_orders AS SELECT id FROM orders";
    const again = await harness.run(create, { idempotencyKey: "make" });
    assert.deepEqual(
      await harness.run(create, { idempotencyKey: "make" }),
      again,
      "its own table is not a conflict",
    );
    assert.deepEqual(await all(), []);
  });

  test("that fails in its last statement changes nothing", async () => {
    await harness.run(orders);
    const before = await all();
    const sql =
      "DELETE FROM orders; CREATE TABLE extra (n INT); INSERT INTO extra SELECT CAST(customer AS INT) FROM (VALUES ('x')) AS v(customer)";
    assert.match(await harness.errorMessage(harness.run(sql)), /^CAST_INVALID_INPUT/);
    assert.deepEqual(await all(), before);
    assert.match(await harness.errorMessage(harness.rows("SELECT * FROM extra")), /there is no table/);
  });

  test("without an idempotency key may only read", async () => {
    await harness.run(orders);
    const { rows, columns, count, value } = await harness.run(
      "SELECT 1; SELECT id, amount FROM orders ORDER BY id LIMIT 1",
      { idempotencyKey: null },
    );
    assert.deepEqual(
      { rows, columns, count, value },
      {
        rows: [[1, "9.50"]],
        columns: [
          { name: "id", type: "INT" },
          { name: "amount", type: "DECIMAL(10,2)" },
        ],
        count: 1,
        value: null,
      },
    );
    assert.match(
      await harness.errorMessage(harness.run("DELETE FROM orders", { idempotencyKey: null })),
      /may only read here, but it writes shop\.sales\.orders/,
    );
    const many = await harness.run("SELECT id FROM range(1000)", { idempotencyKey: null });
    assert.deepEqual([many.rows.length, many.count], [100, 1000]);
    const all = await harness.run("SELECT id FROM range(1000)", { idempotencyKey: null, maxRows: 1000 });
    assert.deepEqual([all.rows.length, all.count], [1000, 1000]);
  });

  test("never parses parameter values as SQL", async () => {
    await harness.run(orders);
    const parameters = {
      who: `it's \${x} \\ \n'); DROP TABLE orders --`,
      id: 7,
      amount: -2.5,
      flag: true,
      none: null,
      list: [1],
    };
    const { rows } = await harness.run(
      "INSERT INTO orders VALUES (:id, :who, :amount); UPDATE orders SET amount = :amount WHERE customer = :who AND :flag; SELECT customer, amount, :none, :list FROM orders WHERE id = :id",
      { parameters },
    );
    assert.deepEqual(rows, [[parameters.who, "-2.50", null, "[1]"]]);
    assert.match(
      await harness.errorMessage(harness.run("SELECT :who, :whom", { parameters })),
      /^Line 1, column 14: the parameter :whom has no value\. Did you mean who/,
    );
  });

  test("keeps the digits and declared types of numbers, and never parses a type as SQL", async () => {
    await harness.run(orders);
    const { rows, columns } = await harness.run("SELECT :price, :price + 1, :id + 1, :big + 1, :sly", {
      parameters: { price: "9.50", id: "9007199254740993", big: 9007199254740993n, sly: "1" },
      types: { price: "DECIMAL(10,2)", id: "BIGINT", sly: "INT), (SELECT max(id) FROM orders" },
    });
    assert.deepEqual(rows, [["9.50", "10.50", "9007199254740994", "9007199254740994", "1"]]);
    assert.deepEqual([columns[0]?.type, columns[4]?.type], ["DECIMAL(10,2)", "STRING"]);
  });

  test("can access only what a query can, and write to one catalog only", async () => {
    await harness.run(orders);
    for (const [sql, sentence] of Object.entries({
      "DELETE FROM _lakehelm.versions": /there is no table/,
      "CREATE TABLE _lakehelm.mine (n INT)": /is not a valid schema name/,
      "INSERT INTO orders SELECT 1, content, 1 FROM read_text('/etc/passwd')":
        /read_text\(\) is not allowed here/,
      "UPDATE orders SET customer = getenv('HOME')": /getenv\(\)/,
      "COPY orders TO '/tmp/x'": /./,
      "ATTACH '/tmp/x.duckdb'": /./,
      "CREATE TABLE shop.sales.a (n INT); CREATE TABLE other.sales.b (n INT)":
        /writes to the catalogs shop and other/,
    })) {
      const message = await harness.errorMessage(harness.run(sql));
      assert.match(message, sentence);
      assert.doesNotMatch(message, /^It ran/, sql);
    }
  });

  test("has a plan with the location of every problem", async () => {
    await harness.run(orders);
    assert.deepEqual(
      await harness.planScript("SELECT amunt\nFROM orders;\nUPDATE orders SET amount = customer + 1;"),
      {
        problems: [
          { line: 1, column: 8, message: "amunt is not a column of any table here. Did you mean amount?" },
        ],
        reads: [],
        writes: [],
      },
    );
    const late = await harness.planScript(
      "INSERT INTO orders SELECT id, :who, 1\nFROM orders WHERE :who = '' AND ascii(id, 1, 2, 3) = 3",
      { who: "a value much longer than its name" },
    );
    assert.deepEqual(
      late.problems.map(({ line, column }) => [line, column]),
      [[2, 33]],
      "DuckDB's errors have their location, too",
    );
    const short = await harness.planScript("INSERT INTO orders SELECT id FROM orders");
    assert.deepEqual(short.problems, [
      { line: 1, column: 20, message: "shop.sales.orders needs 3 columns here, but the query has 1." },
    ]);
    assert.deepEqual(
      await harness.planScript("CREATE TABLE ids AS SELECT id FROM orders; SELECT id FROM ids"),
      {
        problems: [],
        reads: ["shop.sales.orders", "shop.sales.ids"],
        writes: ["shop.sales.ids"],
      },
    );
    assert.match(await harness.errorMessage(harness.rows("SELECT * FROM ids")), /there is no table/);
  });
});

/** Scripts of tasks: statements in one transaction, once for a mark, with values for their parameters. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const bench = await openPipelineHarness({ after });

const orders =
  "CREATE OR REPLACE TABLE orders (id INT, customer STRING, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'ada', 9.50), (2, 'bob', 12.00), (3, NULL, -1.00);";
const all = () => bench.rows("SELECT * FROM orders");

suite("statements", () => {
  test("change rows as Databricks says, and count them", async () => {
    const { inserted, updated, deleted, changed, rows } = await bench.run(`${orders}
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

  test("MERGE with conditions, with *, and refused where it is not said which row counts", async () => {
    await bench.run(orders);
    await bench.run(`MERGE INTO orders AS t USING (SELECT 1 AS id, 'x' AS customer, 3.0 AS amount UNION ALL SELECT 9, 'new', 1) AS s
      ON t.id = s.id WHEN MATCHED AND s.amount > 100 THEN DELETE
      WHEN MATCHED THEN UPDATE SET customer = concat(s.customer, t.customer)
      WHEN NOT MATCHED THEN INSERT (id, customer, amount) VALUES (s.id, s.customer, s.amount)
      WHEN NOT MATCHED BY SOURCE AND t.id = 3 THEN DELETE`);
    assert.deepEqual(await all(), ["1 xada 9.50", "2 bob 12.00", "9 new 1.00"]);
    const { inserted, updated, deleted } = await bench.run(`MERGE INTO orders t
      USING (SELECT amount, id, customer FROM orders WHERE id < 9 UNION ALL SELECT 0, 10, 'ten') s ON t.id = s.id
      WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE`);
    assert.deepEqual([inserted, updated, deleted], [1, 2, 1]);
    assert.deepEqual(await all(), ["1 xada 9.50", "10 ten 0.00", "2 bob 12.00"]);
    const twice =
      "MERGE INTO orders t USING (SELECT 1 AS id UNION ALL SELECT 1) s ON t.id = s.id WHEN MATCHED THEN";
    assert.match(
      await bench.errorMessage(bench.run(`${twice} UPDATE SET amount = 0`)),
      /match more than one row of the source/,
    );
    assert.equal((await bench.run(`${twice} DELETE`)).deleted, 1);
  });

  test("make, fill, widen, describe and drop tables", async () => {
    const { rows, changed } = await bench.run(`${orders}
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
      await bench.own(
        "SELECT comment FROM duckdb_tables() WHERE table_name IN ('copy', 'copies') ORDER BY 1",
      ),
      ["A copy", "Many"],
    );
    await bench.run("DROP TABLE copy; DROP TABLE IF EXISTS copy");
    assert.match(await bench.errorMessage(bench.rows("SELECT * FROM copy")), /there is no table/);
  });

  test("say truthfully whether a table only grew", async () => {
    const changes = async (sql: string) => {
      const versions = "SELECT version - rewritten FROM shop._lakehelm.versions WHERE \"table\" = 'orders'";
      await bench.run(sql);
      return bench.own(versions);
    };
    assert.deepEqual(await changes(orders), ["1"], "made anew, then added to");
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
  test("is done once for its mark, and gives the same answer again", async () => {
    await bench.run(orders);
    const sql = "INSERT INTO orders VALUES (4, 'eve', 4); SELECT count(*) AS n FROM orders";
    const first = await bench.run(sql, { idempotencyKey: "once" });
    assert.equal(first.value, 4);
    await bench.run("DELETE FROM orders");
    assert.deepEqual(await bench.run(sql, { idempotencyKey: "once" }), first);
    const made = "CREATE TABLE fresh_orders AS SELECT id FROM orders";
    const again = await bench.run(made, { idempotencyKey: "make" });
    assert.deepEqual(
      await bench.run(made, { idempotencyKey: "make" }),
      again,
      "what it made is not in its way",
    );
    assert.deepEqual(await all(), []);
  });

  test("that fails in its last statement does nothing", async () => {
    await bench.run(orders);
    const before = await all();
    const sql =
      "DELETE FROM orders; CREATE TABLE extra (n INT); INSERT INTO extra SELECT CAST(customer AS INT) FROM (VALUES ('x')) AS v(customer)";
    assert.match(await bench.errorMessage(bench.run(sql)), /Could not convert string 'x'/);
    assert.deepEqual(await all(), before);
    assert.match(await bench.errorMessage(bench.rows("SELECT * FROM extra")), /there is no table/);
  });

  test("without a mark may only read", async () => {
    await bench.run(orders);
    const { rows, columns, count, value } = await bench.run(
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
      await bench.errorMessage(bench.run("DELETE FROM orders", { idempotencyKey: null })),
      /may only read here, but it writes shop\.sales\.orders/,
    );
    const many = await bench.run("SELECT id FROM range(1000)", { idempotencyKey: null });
    assert.deepEqual([many.rows.length, many.count], [100, 1000]);
  });

  test("takes values as values, whatever is in them", async () => {
    await bench.run(orders);
    const parameters = {
      who: `it's \${x} \\ \n'); DROP TABLE orders --`,
      id: 7,
      amount: -2.5,
      flag: true,
      none: null,
      list: [1],
    };
    const { rows } = await bench.run(
      "INSERT INTO orders VALUES (:id, :who, :amount); UPDATE orders SET amount = :amount WHERE customer = :who AND :flag; SELECT customer, amount, :none, :list FROM orders WHERE id = :id",
      { parameters },
    );
    assert.deepEqual(rows, [[parameters.who, "-2.50", null, "[1]"]]);
    assert.match(
      await bench.errorMessage(bench.run("SELECT :who, :whom", { parameters })),
      /^Line 1, column 14: the parameter :whom has no value\. Did you mean who/,
    );
  });

  test("takes numbers of any size, and of the type that they are given; a type is nothing but a type", async () => {
    await bench.run(orders);
    const { rows, columns } = await bench.run("SELECT :price, :price + 1, :id + 1, :big + 1, :sly", {
      parameters: { price: "9.50", id: "9007199254740993", big: 9007199254740993n, sly: "1" },
      types: { price: "DECIMAL(10,2)", id: "BIGINT", sly: "INT), (SELECT max(id) FROM orders" },
    });
    assert.deepEqual(rows, [["9.50", "10.50", "9007199254740994", "9007199254740994", "1"]]);
    assert.deepEqual([columns[0]?.type, columns[4]?.type], ["DECIMAL(10,2)", "STRING"]);
  });

  test("reaches nothing that a query may not reach, and no two catalogs", async () => {
    await bench.run(orders);
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
      const told = await bench.errorMessage(bench.run(sql));
      assert.match(told, sentence);
      assert.doesNotMatch(told, /^It ran/, sql);
    }
  });

  test("is planned with every problem at its place", async () => {
    await bench.run(orders);
    assert.deepEqual(
      await bench.planScript("SELECT amunt\nFROM orders;\nUPDATE orders SET amount = customer + 1;"),
      {
        problems: [
          { line: 1, column: 8, message: "amunt is not a column of any table here. Did you mean amount?" },
        ],
        reads: [],
        writes: [],
      },
    );
    const late = await bench.planScript(
      "INSERT INTO orders SELECT id, :who, 1\nFROM orders WHERE :who = '' AND levenshtein(id, 1, 2, 3) = 3",
      { who: "a value much longer than its name" },
    );
    assert.deepEqual(
      late.problems.map(({ line, column }) => [line, column]),
      [[2, 33]],
      "what DuckDB says is at its place, too",
    );
    const short = await bench.planScript("INSERT INTO orders SELECT id FROM orders");
    assert.deepEqual(short.problems, [
      { line: 1, column: 20, message: "shop.sales.orders needs 3 columns here, but the query has 1." },
    ]);
    assert.deepEqual(
      await bench.planScript("CREATE TABLE ids AS SELECT id FROM orders; SELECT id FROM ids"),
      {
        problems: [],
        reads: ["shop.sales.orders", "shop.sales.ids"],
        writes: ["shop.sales.ids"],
      },
    );
    assert.match(await bench.errorMessage(bench.rows("SELECT * FROM ids")), /there is no table/);
  });
});

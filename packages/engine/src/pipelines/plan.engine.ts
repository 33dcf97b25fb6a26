/** A plan reports tables and problems before anything runs, and writes nothing. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openPipelineHarness } from "./testing/pipeline.ts";

const orders =
  "CREATE TABLE orders (id INT, customer STRING, amount DECIMAL(10,2)); INSERT INTO orders VALUES (1, 'ada', 9.50), (2, 'bob', 12.00), (3, NULL, -1.00);";

suite("a plan", () => {
  test("has types, lineage and the execution order", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const { problems, tables } = await harness.plan(`
      CREATE MATERIALIZED VIEW b AS SELECT customer, twice FROM a;
      CREATE STREAMING TABLE a (CONSTRAINT c EXPECT (twice > 0)) AS SELECT customer, amount * 2 AS twice FROM STREAM(orders);`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tables.map(({ name }) => name),
      ["shop.sales.a", "shop.sales.b"],
    );
    const [a, b] = tables;
    assert.deepEqual([a?.path, a?.line, a?.column, a?.streams], ["orders.sql", 3, 30, ["shop.sales.orders"]]);
    assert.deepEqual(a?.columns[1], {
      name: "twice",
      type: "DECIMAL(12,2)",
      from: [{ table: "shop.sales.orders", column: "amount" }],
    });
    assert.deepEqual(b?.reads, ["shop.sales.a"]);
    assert.deepEqual(a?.expectations, [{ name: "c", condition: "twice > 0", action: "keep" }]);
  });

  test("of the code alone is the same without types, and without what only DuckDB knows", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const code = `CREATE MATERIALIZED VIEW b AS SELECT customer, twice FROM a;
      CREATE MATERIALIZED VIEW a AS SELECT customer, amount * 2 AS twice FROM orders;`;
    const bound = await harness.plan(code);
    assert.deepEqual(await harness.plan(code, { types: false }), {
      problems: [],
      tables: bound.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, type: null })),
      })),
    });
    const refused = "CREATE MATERIALIZED VIEW a AS SELECT levenshtein(id, 1, 2, 3) AS x FROM orders";
    assert.equal((await harness.plan(refused)).problems.length, 1);
    assert.equal((await harness.plan(refused, { types: false })).problems.length, 0);
    assert.match(
      String(
        (await harness.plan("CREATE VIEW v AS SELECT x FROM nowhere", { types: false })).problems[0]?.message,
      ),
      /there is no table/,
    );
  });

  test("reports DuckDB's errors with their location in the code, and writes nothing", async (t) => {
    const harness = await openPipelineHarness(t);
    await harness.run(orders);
    const before = await harness.content();
    const code = [
      "CREATE MATERIALIZED VIEW a AS SELECT id,",
      `  \${key} AS k, levenshtein(id, 1, 2, 3) AS x FROM orders;`,
      "CREATE MATERIALIZED VIEW b (CONSTRAINT c EXPECT (id)) AS SELECT id FROM orders;",
      "CREATE MATERIALIZED VIEW c AS SELECT x FROM a;",
      "UPDATE orders SET amount = year(id) WHERE id = 1;",
    ].join("\n");
    const options = { configuration: { key: "'long enough'" } };
    const { problems } = await harness.plan(code, options);
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column}: ${message.replace(/'.*/, "…")}`),
      [
        "2:16: no function matches the given name and argument types …",
        "3:50: the expectation c must be a condition, but its type is INT.",
        "5:1: no function matches the given name and argument types …",
      ],
    );
    await harness.errorMessage(harness.update(code, options));
    assert.deepEqual(await harness.content(), before);
  });
});

test("columns are in the order of the header, even if only some have a type", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(orders);
  await harness.update(`CREATE MATERIALIZED VIEW named (who COMMENT 'Who', total DECIMAL(20,2)) AS SELECT customer, amount FROM orders;
    CREATE TABLE IF NOT EXISTS orders (id INT); CREATE VIEW again AS SELECT amount, id FROM orders;`);
  assert.deepEqual(await harness.rows("SELECT * FROM named WHERE who = 'ada'"), ["ada 9.50"]);
  assert.deepEqual(await harness.rows("SELECT * FROM again WHERE id = 1"), ["9.50 1"]);
});

test("a binding error is located at its select item, and a runtime error at its query", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(orders);
  const positions = async (text: string) =>
    (await harness.plan(text)).problems.map(({ line, column }) => `${line}:${column}`).join();
  assert.equal(
    await positions("CREATE VIEW v AS SELECT id,\n  array(1) + 1 AS x,\n customer FROM orders"),
    "2:3",
  );
  const rows = "\nCREATE MATERIALIZED VIEW m AS\n SELECT CAST(customer AS INT) AS n FROM orders";
  assert.match(
    await harness.errorMessage(harness.update(rows)),
    /^shop\.sales\.m: orders\.sql:3:2: CAST_INVALID_INPUT/,
  );
});

test("SEQUENCE BY can be a struct of several columns", async (t) => {
  const harness = await openPipelineHarness(t);
  await harness.run(`CREATE TABLE e (id INT, d DATE, n INT, v STRING);
    INSERT INTO e VALUES (1, DATE'2024-01-02', 1, 'last'), (1, DATE'2024-01-01', 2, 'second'), (1, DATE'2024-01-01', 1, 'first')`);
  for (const [table, type] of [
    ["one", 1],
    ["two", 2],
  ])
    await harness.update(
      `CREATE STREAMING TABLE ${table}; CREATE FLOW f AS AUTO CDC INTO ${table} FROM STREAM(e) KEYS (id)
      SEQUENCE BY STRUCT(d, n + 0) STORED AS SCD TYPE ${type}`,
      { pipeline: `p${type}` },
    );
  assert.deepEqual(await harness.rows("SELECT v FROM one"), ["last"]);
  assert.deepEqual(
    await harness.internalRows("SELECT v, __START_AT.col2 FROM shop.sales.two ORDER BY __START_AT"),
    ["first 1", "second 2", "last 1"],
  );
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { openShop, scope, type TestShop } from "../testing/shop.ts";

let shop: TestShop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

describe("names", () => {
  for (const name of ["orders", "sales.orders", "shop.sales.orders", "`Shop`.SALES.`Orders`"]) {
    test(`a table is found as ${name}`, async () => {
      assert.equal((await shop.query(`SELECT id FROM ${name}`)).count, 3);
    });
  }

  test("a catalog can be called main, and a schema default", async () => {
    await shop.warehouse.createSchema({ catalog: "main", schema: "default", table: "t" });
    await shop.run('CREATE TABLE _main."default".t AS SELECT 7 AS n');
    const { rows } = await shop.query("SELECT main.default.t.n, t.n AS again FROM main.default.t");
    assert.deepEqual(rows, [[7, 7]]);
    const short = await shop.query("SELECT n FROM t", {
      scope: { ...scope, catalog: "main", schema: "default" },
    });
    assert.deepEqual(short.rows, [[7]]);
  });

  test("a CTE hides a table of the same name, but not in its own body", async () => {
    const { rows } = await shop.query(
      "WITH orders AS (SELECT id FROM orders WHERE id > 1), two AS (SELECT id FROM orders) SELECT count(*) FROM two",
    );
    assert.deepEqual(rows, [[2]]);
  });

  const inner = "WITH orders AS (SELECT 1 AS one) SELECT max(one) AS one FROM orders";
  const places = {
    FROM: `SELECT count(*) FROM (${inner}) AS x, orders`,
    "a join": `SELECT count(*) FROM orders AS o JOIN (${inner}) AS x ON true LEFT JOIN orders AS p ON p.id = o.id`,
    LATERAL: `SELECT count(*) FROM orders AS o, LATERAL (${inner}) AS x`,
    "the select list": `SELECT count(*) * max((${inner})) + count((${inner})) * 0 FROM orders`,
    "a scalar": `SELECT (SELECT count(*) FROM orders) * (${inner}) AS n`,
    WHERE: `SELECT count(*) FROM orders WHERE id > (${inner}) - 1`,
    IN: `SELECT count(*) + 2 FROM orders WHERE id IN (${inner})`,
    EXISTS: `SELECT count(*) FROM orders WHERE EXISTS (${inner})`,
    "another CTE": `WITH x AS (${inner}) SELECT count(*) FROM x, orders`,
    "a subquery of a subquery": `SELECT count(*) FROM (SELECT * FROM (${inner}) AS y) AS x, orders`,
    "both sides": `SELECT count(*) FROM (${inner}) AS x, (${inner.replace("1 AS", "2 AS")}) AS y, orders WHERE y.one = 2`,
    UNION: `SELECT count(*) - 1 FROM (SELECT id FROM orders UNION ALL (${inner})) AS x`,
  };
  for (const [place, sql] of Object.entries(places)) {
    test(`a CTE of a subquery in ${place} hides no table outside of it`, async () => {
      assert.deepEqual((await shop.query(sql)).rows, [[3]]);
    });
  }

  test("a recursive query reads itself", async () => {
    const sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT max(i) AS m FROM n";
    assert.deepEqual((await shop.query(sql)).rows, [[4]]);
  });

  test("a column can have a name that DuckDB reserves", async () => {
    await shop.run('CREATE TABLE shop.sales.odd AS SELECT 1 AS "at", 2 AS "end"');
    assert.deepEqual((await shop.query("SELECT at, `end` FROM odd WHERE at = 1")).rows, [[1, 2]]);
  });

  test("a view is read like a table", async () => {
    await shop.run("CREATE VIEW shop.sales.rich AS SELECT * FROM shop.sales.orders WHERE amount > 10");
    assert.deepEqual((await shop.query("SELECT customer FROM rich")).rows, [["bob"]]);
  });
});

describe("errors have a position and suggest similar names", () => {
  const mistakes: readonly (readonly [string, string])[] = [
    [
      "SELECT * FROM shop.sales.ordrs",
      'Line 1, column 15: there is no table "shop.sales.ordrs". Did you mean shop.sales.orders?',
    ],
    [
      "SELECT id,\n  amont\nFROM orders",
      'Line 2, column 3: there is no column "amont". Did you mean amount?',
    ],
    [
      "SELECT '😀 amont' AS a, o.amont FROM orders AS o",
      'Line 1, column 24: o has no column "amont". Did you mean amount?',
    ],
    [
      "SELECT s.qty FROM (SELECT named_struct('qtys', 1) AS s)",
      "Line 1, column 10: the struct has no field qty. Did you mean qtys?",
    ],
    ["SELECT x.id FROM orders", 'Line 1, column 8: there is no table or alias "x" in FROM.'],
    [
      "SELECT id FROM orders AS a, orders AS b",
      'Line 1, column 8: more than one table has a column "id": write "a.id" or "b.id".',
    ],
    ["SELECT id FROM orders WHERE", "Line 1, column 23: the text ends too early after WHERE."],
    ["SELECT id, FROM orders", "Line 1, column 10: unexpected comma at the end of a list."],
    [
      "SELECT skewness(id) FROM orders",
      "Line 1, column 8: there is no function skewness() on the embedded platform.",
    ],
  ];
  for (const [sql, sentence] of mistakes) {
    test(JSON.stringify(sql), async () => assert.equal(await shop.errorMessage(sql), sentence));
  }

  test("the error has the position as numbers", async () => {
    const error = await shop.query("SELECT\n amont FROM orders").catch((thrown) => thrown);
    assert.ok(error instanceof DataProblem);
    assert.deepEqual(error.position, { line: 2, column: 2 });
  });

  test("the column of a syntax error counts characters, not bytes", async () => {
    const sentence = await shop.errorMessage("SELECT 'größe' FORM orders", { dialect: "duckdb" });
    assert.equal(sentence, 'Line 1, column 21: syntax error at or near "orders".');
  });

  test("a value that cannot be converted", async () => {
    assert.match(
      await shop.errorMessage("SELECT CAST(customer AS INT) FROM orders"),
      /Could not convert string 'ada'/,
    );
  });
});

describe("pages", () => {
  const numbers = "SELECT id FROM range(10000) ORDER BY id";

  test("a page reports whether more rows follow", async () => {
    const page = await shop.query(numbers, { skip: 5_000, limit: 3 });
    assert.deepEqual([page.rows, page.count, page.more], [[[5_000], [5_001], [5_002]], 3, true]);
  });

  test("no rows follow the last page, and a page beyond the end is empty", async () => {
    const last = await shop.query(numbers, { skip: 9_998, limit: 5 });
    assert.deepEqual([last.rows, last.more], [[[9_998], [9_999]], false]);
    const beyond = await shop.query(numbers, { skip: 20_000, limit: 5 });
    assert.deepEqual([beyond.rows, beyond.count, beyond.more], [[], 0, false]);
    const whole = await shop.query(numbers, { skip: 0, limit: 10_000 });
    assert.deepEqual([whole.count, whole.more], [10_000, false]);
    const chunk = await shop.query(numbers, { skip: 0, limit: 2_048 });
    assert.deepEqual([chunk.count, chunk.more], [2_048, true]);
  });

  for (const sql of [
    "SELECT id, hash FROM many",
    "SELECT id AS a, id AS a FROM many LIMIT 300000",
    "SELECT hash % 1000 AS bucket, count(*) AS n FROM many GROUP BY ALL",
    "SELECT DISTINCT hash % 1000 AS bucket FROM many",
    "SELECT id FROM many UNION SELECT id + 1 FROM many",
    "SELECT m.id, o.id AS other FROM many AS m JOIN orders AS o ON m.id % 3 = o.id",
  ]) {
    test(`without ORDER BY, pages do not overlap: ${sql}`, async () => {
      await shop.run(
        "CREATE TABLE IF NOT EXISTS shop.sales.many AS SELECT range AS id, hash(range) AS hash FROM range(300000)",
      );
      const all = await shop.query(sql, { limit: 1_000 });
      const pages = await Promise.all([0, 300, 600].map((skip) => shop.query(sql, { skip, limit: 300 })));
      assert.deepEqual(
        pages.flatMap(({ rows }) => rows),
        all.rows?.slice(0, 900),
      );
      assert.deepEqual(pages[0]?.columns, all.columns);
    });
  }

  test("a page of a huge result is returned before the rest is computed", async () => {
    const page = await shop.query("SELECT id FROM range(1000000000000)", { limit: 2, timeoutMs: 5_000 });
    assert.equal(page.count, 2);
  });
});

describe("limits", () => {
  const endless =
    "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b, range(1000000) AS c WHERE a.id < b.id + c.id";

  test("a query is stopped after its time limit", async () => {
    assert.equal(
      await shop.errorMessage(endless, { timeoutMs: 200 }),
      "The query was stopped after its time limit of 0.2 s.",
    );
  });

  test("a query that hashes rows is stopped after its time limit, or if it hashes too much at once", async () => {
    assert.equal(
      await shop.errorMessage("SELECT sum(hash(id)) FROM range(100000000000)", { timeoutMs: 200 }),
      "The query was stopped after its time limit of 0.2 s.",
    );
    assert.match(
      await shop.errorMessage("SELECT sum(hash(repeat('x', 900000), id)) FROM range(100000000000)"),
      /^LIMIT_EXCEEDED: hash\(\) can hash 64 MB in 2,048 rows\./,
    );
  });

  test("an aborted query is stopped", async () => {
    const controller = new AbortController();
    const result = shop.query(endless, {}, controller.signal);
    setImmediate(() => controller.abort(new Error("enough")));
    await assert.rejects(result, { message: "enough" });
  });

  test("a query beyond the memory limit fails, and the next query runs", async () => {
    const sentence = await shop.errorMessage(
      "SELECT len(list(range || 'some text that needs memory')) FROM range(20000000)",
      { dialect: "duckdb" },
    );
    assert.match(
      sentence,
      /^The query needs more memory than its limit of 128 MB[.:].* PLATFORM_WAREHOUSE_MEMORY_MB sets the limit\.$/,
    );
    assert.equal((await shop.query("SELECT 1 AS one")).count, 1);
  });
});

describe("count", () => {
  for (const [sql, value] of [
    ["SELECT count(*) FROM orders", 3],
    ["SELECT 42 AS n", 42],
    ["SELECT * FROM orders", 3],
    ["SELECT id FROM orders WHERE false", 0],
    ["SELECT amount FROM orders LIMIT 1", 1],
    ["SELECT CAST(NULL AS INT) AS n", 1],
  ] as const) {
    test(`${sql} is ${value}`, async () =>
      assert.equal((await shop.query(sql, { format: "count" })).value, value));
  }
});

describe("texts that would block the engine", () => {
  for (const [what, sql] of [
    ["a long chain of UNION ALL", `SELECT 1${" UNION ALL SELECT 1".repeat(5_000)}`],
    ["a long sum", `SELECT 1${" + 1".repeat(50_000)}`],
    ["a deep nesting of brackets", `SELECT ${"(".repeat(5_000)}1${")".repeat(5_000)}`],
    ["a deep nesting of NOT", `SELECT ${"NOT ".repeat(1_900)} true`],
    ["a text of 100,000 words", `SELECT ${"1, ".repeat(50_000)} 1`],
  ] as const) {
    for (const dialect of ["databricks", "duckdb"] as const) {
      test(`${what} is rejected in the dialect ${dialect}`, async () => {
        await assert.rejects(shop.query(sql, { dialect }), DataProblem);
      });
    }
  }
});

test("a page of large values ends at its size limit and reports that more rows follow", async () => {
  const sql = "SELECT repeat('x', 1000000) AS text FROM range(100)";
  const page = await shop.query(sql, { limit: 100 });
  assert.deepEqual([page.count, page.rows?.length, page.more], [16, 16, true]);
  const large = await shop.query("SELECT repeat('xxxxxxxx', 1000000) AS text FROM range(4)");
  assert.deepEqual([large.count, large.more], [2, true]);
});

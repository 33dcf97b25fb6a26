import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openShop, type TestShop } from "../testing/shop.ts";

let shop: TestShop;
before(async () => {
  shop = await openShop();
  await shop.run(
    `CREATE TABLE shop.sales.odd AS SELECT * FROM (VALUES
       (1::INTEGER, 0::INTEGER, 0::BIGINT, 0.00::DECIMAL(10,2), 0::DOUBLE, 0::FLOAT, '3.7', DATE '2026-01-31', TIMESTAMP '2026-01-31 10:00:00'))
       AS odd(one, zero, big, decimal, double, float, text, day, moment)`,
  );
});
after(() => shop[Symbol.asyncDispose]());

/** An expression over `odd`, with its value and type in Databricks. */
const expressions: readonly (readonly [string, unknown, string])[] = [
  ["CAST(3.7 AS INT)", 3, "INT"],
  ["CAST(2.5 AS INT)", 2, "INT"],
  ["CAST(-3.7 AS INT)", -3, "INT"],
  ["CAST(CAST(2.9 AS DOUBLE) AS BIGINT)", 2, "BIGINT"],
  ["CAST(CAST(2.9 AS FLOAT) AS SMALLINT)", 2, "SMALLINT"],
  // Here Spark treats a DECIMAL of more than 18 digits as a DOUBLE.
  ["CAST(2.99999999999999999999 AS TINYINT)", 3, "TINYINT"],
  ["CAST(2.99999999999999999999 AS BIGINT)", 2, "BIGINT"],
  ["try_cast(2147483647.9999999999 AS INT)", null, "INT"],
  ["CAST(TIMESTAMP'1969-12-31 23:59:59.5' AS INT)", -1, "INT"],
  ["CAST(TIMESTAMP'9999-12-31 23:59:59.999999' AS BIGINT)", 253402300799, "BIGINT"],
  ["try_cast(TIMESTAMP'2026-01-01' AS TINYINT)", null, "TINYINT"],
  ["CAST(TIMESTAMP'2026-01-01 00:00:00.7' AS DECIMAL(38, 0))", "1767225601", "DECIMAL(38,0)"],
  ["CAST(CAST(1.9999999 AS DECIMAL(38, 30)) AS TIMESTAMP)", "1970-01-01T00:00:01.999999Z", "TIMESTAMP"],
  ["try_cast(60 AS TIMESTAMP)", "1970-01-01T00:01:00Z", "TIMESTAMP"],
  ["timestamp(1.5)", "1970-01-01T00:00:01.5Z", "TIMESTAMP"],
  ["CAST(9223372036854775807.9 AS BIGINT)", "9223372036854775807", "BIGINT"],
  ["2.9 :: INT", 2, "INT"],
  ["int(2.9)", 2, "INT"],
  ["bigint(' -42 ')", -42, "BIGINT"],
  ["CAST(true AS INT)", 1, "INT"],
  ["CAST(NULL AS INT)", null, "INT"],
  ["CAST(CAST(NULL AS STRING) AS INT)", null, "INT"],
  ["CAST(sum(one + 0.7) AS INT)", 1, "INT"],
  ["CAST(max('12') AS INT)", 12, "INT"],
  ["CAST(row_number() OVER (ORDER BY day) AS INT)", 1, "INT"],
  ["CAST((SELECT max(o.one) + 0.7 FROM odd AS o) AS INT)", 1, "INT"],
  ["get(transform(array(1.7), x -> CAST(x AS INT)), 0)", 1, "INT"],
  ["get(CAST(array(array(3.7D)) AS ARRAY<ARRAY<INT>>)[0], 0)", 3, "INT"],
  ["get(try_cast(array('3.7', '2') AS ARRAY<INT>), 0)", null, "INT"],
  ["CAST(named_struct('a', 3.7D, 'b', 1E20D) AS STRUCT<a: INT, b: STRING>).a", 3, "INT"],
  ["CAST(named_struct('a', 3.7D, 'b', 1E20D) AS STRUCT<a: INT, b: STRING>).b", "1.0E20", "STRING"],
  ["element_at(CAST(map(1, 2.9D) AS MAP<STRING, INT>), '1')", 2, "INT"],
  ["try_cast(3.7 AS INT)", 3, "INT"],
  ["try_cast('3.7' AS INT)", null, "INT"],
  ["try_cast('1e3' AS INT)", null, "INT"],
  ["try_cast(1e30 AS INT)", null, "INT"],
  ["7 / 2", 3.5, "DOUBLE"],
  ["one / 2", 0.5, "DOUBLE"],
  ["CAST(one AS FLOAT) / 2", 0.5, "DOUBLE"],
  ["CAST(one AS FLOAT) / CAST(one AS FLOAT)", 1, "DOUBLE"],
  ["NULL / zero", null, "DOUBLE"],
  ["one / nullif(zero, 0)", null, "DOUBLE"],
  ["try_divide(one, zero)", null, "DOUBLE"],
  ["CASE WHEN zero = 0 THEN NULL ELSE one / zero END", null, "DOUBLE"],
  ["if(zero <> 0, one % zero, -1)", -1, "INT"],
  ["coalesce(one, one / zero)", 1, "DOUBLE"],
  ["sum(one) / count(*)", 1, "DOUBLE"],
  ["7 div 2", 3, "BIGINT"],
  ["-7 div 2", -3, "BIGINT"],
  ["7.9 div 2", 3, "BIGINT"],
  ["CAST(7 AS SMALLINT) % CAST(4 AS SMALLINT)", 3, "SMALLINT"],
  ["-7 % 3", -1, "INT"],
  ["mod(7, 4)", 3, "INT"],
  ["mod(one, one)", 0, "INT"],
  ["pmod(-7, 3)", 2, "INT"],
  ["pmod(7, -3)", 1, "INT"],
  ["pmod(-7, -3)", -1, "INT"],
  ["substring('abc', 0, 2)", "ab", "STRING"],
  ["substr('abc', 0, 2)", "ab", "STRING"],
  ["substring('abc' FROM 0 FOR 2)", "ab", "STRING"],
  ["substring('abc', 0)", "abc", "STRING"],
  ["substring('abc', -2, 1)", "b", "STRING"],
  ["substring('abc', -5, 4)", "ab", "STRING"],
  ["substring('abc', 2, -1)", "", "STRING"],
  ["substring('abc', 2, CAST(NULL AS INT))", null, "STRING"],
  ["DATE '2026-01-31' + INTERVAL 1 DAY", "2026-02-01", "DATE"],
  ["day + INTERVAL '1' MONTH", "2026-02-28", "DATE"],
  ["INTERVAL 1 YEAR + day", "2027-01-31", "DATE"],
  ["day - INTERVAL 2 WEEKS", "2026-01-17", "DATE"],
  ["max(day) + INTERVAL 1 DAY", "2026-02-01", "DATE"],
  ["day + INTERVAL 2 HOURS", "2026-01-31T02:00:00Z", "TIMESTAMP"],
  ["moment + INTERVAL 1 DAY", "2026-02-01T10:00:00", "TIMESTAMP_NTZ"],
  ["CAST(moment AS TIMESTAMP) + INTERVAL 1 DAY", "2026-02-01T10:00:00Z", "TIMESTAMP"],
  ["add_months(day, 1)", "2026-02-28", "DATE"],
  ["add_months(moment, -1)", "2025-12-31", "DATE"],
  ["date_add(day, 1)", "2026-02-01", "DATE"],
  ["dateadd(MONTH, 1, day)", "2026-02-28T00:00:00Z", "TIMESTAMP"],
  ["timestampadd(HOUR, 1, moment)", "2026-01-31T11:00:00", "TIMESTAMP_NTZ"],
  ["sum(one)", 1, "BIGINT"],
  ["sum(DISTINCT big)", 0, "BIGINT"],
  ["sum(one) OVER ()", 1, "BIGINT"],
  ["sum(one) FILTER (WHERE one > 1)", null, "BIGINT"],
  ["sum(double)", 0, "DOUBLE"],
  ["count_if(one = 1)", 1, "BIGINT"],
  ["'caf\\u00e9'", "café", "STRING"],
  ["'\\U0001F600 \\101 it\\'s\\n'", "😀 A it's\n", "STRING"],
  ['"\\u00e9"', "é", "STRING"],
  ["r'\\u00e9'", "\\u00e9", "STRING"],
  ["'it''s'", "it's", "STRING"],
  ["'50\\%' LIKE '50\\%'", false, "BOOLEAN"],
  ["'50%' LIKE '50\\%'", true, "BOOLEAN"],
  ["'500' LIKE '50\\%'", false, "BOOLEAN"],
  ["'500' NOT ILIKE '50\\%'", true, "BOOLEAN"],
  ["'500' LIKE '50%'", true, "BOOLEAN"],
  ["text LIKE concat(text, '')", true, "BOOLEAN"],
];

describe("an expression has the value and type of Databricks", () => {
  for (const [expression, value, type] of expressions) {
    test(expression, async () => {
      const { rows, columns } = await shop.query(`SELECT ${expression} AS x FROM odd`);
      assert.deepEqual([rows, columns], [[[value]], [{ name: "x", type }]]);
    });
  }
});

describe("an expression fails as in Databricks", () => {
  const byZero =
    "DIVIDE_BY_ZERO: a number was divided by zero. Write nullif(divisor, 0) to get NULL instead.";
  for (const [expression, sentence] of [
    ["one / 0", byZero],
    ["one / zero", byZero],
    ["one / big", byZero],
    ["one / decimal", byZero],
    ["one / double", byZero],
    ["float / float", byZero],
    ["one / zero / 2", byZero],
    ["7 div 0", byZero],
    ["7 % 0", byZero],
    ["7.5 % decimal", byZero],
    ["mod(7, zero)", byZero],
    ["pmod(7, 0)", byZero],
    [
      "CAST('3.7' AS INT)",
      "CAST_INVALID_INPUT: Could not convert string '3.7' to INT. Use try_cast to get NULL instead.",
    ],
    [
      "CAST(array('3.7') AS ARRAY<INT>)",
      "CAST_INVALID_INPUT: Could not convert string '3.7' to INT. Use try_cast to get NULL instead.",
    ],
    [
      "CAST(named_struct('a', 1) AS STRUCT<a: INT, b: INT>)",
      "DATATYPE_MISMATCH: a struct with 1 fields cannot be cast to one with 2.",
    ],
    ["CAST(day AS INT)", "A value of the type DATE cannot be cast to an integer."],
    [
      "CAST(text AS BIGINT)",
      "CAST_INVALID_INPUT: Could not convert string '3.7' to BIGINT. Use try_cast to get NULL instead.",
    ],
    [
      "int('0x1F')",
      "CAST_INVALID_INPUT: Could not convert string '0x1F' to INT. Use try_cast to get NULL instead.",
    ],
    [
      "CAST('it''s' AS INT)",
      "CAST_INVALID_INPUT: Could not convert string 'it's' to INT. Use try_cast to get NULL instead.",
    ],
    [
      "sum(n) FROM (VALUES (9223372036854775807), (1)) AS v(n)",
      "ARITHMETIC_OVERFLOW: 9223372036854775808 is out of range for BIGINT. Use DECIMAL or DOUBLE.",
    ],
  ] as const) {
    test(expression, async () => {
      const from = expression.includes(" FROM ") ? "" : " FROM odd";
      assert.equal(await shop.errorMessage(`SELECT ${expression}${from}`), sentence);
    });
  }

  test("only if it is evaluated for a row", async () => {
    const quotients = "(SELECT zero, one / zero AS q FROM odd)";
    assert.equal((await shop.query(`SELECT q FROM ${quotients} WHERE zero <> 0`)).count, 0);
    assert.equal((await shop.query("SELECT one FROM odd WHERE zero <> 0 AND one / zero > 1")).count, 0);
    assert.equal((await shop.query(`SELECT zero FROM ${quotients}`)).count, 1);
  });
});

describe("columns and groups", () => {
  test("an unnamed column keeps the name of its original expression", async () => {
    const { columns } = await shop.query(
      "SELECT id / 2, id / id, sum(id), CAST(id AS BIGINT), sum(id) OVER (), count(*) / 2 FROM orders GROUP BY id",
    );
    assert.deepEqual(
      columns.map(({ name }) => name),
      ["(id / 2)", "(id / id)", "sum(id)", "CAST(id AS BIGINT)", "sum(id) OVER ()", "(count(*) / 2)"],
    );
  });

  for (const [sql, rows] of [
    [
      "SELECT 6 / id, count(*) FROM orders GROUP BY 6 / id ORDER BY 6 / id",
      [
        [2, 1],
        [3, 1],
        [6, 1],
      ],
    ],
    ["SELECT DISTINCT CAST(amount AS INT) FROM orders ORDER BY CAST(amount AS INT)", [[0], [9], [12]]],
    [
      "SELECT id % 2 AS odd, sum(id) AS n FROM orders GROUP BY ALL ORDER BY ALL",
      [
        [0, 2],
        [1, 4],
      ],
    ],
    [
      "SELECT id % 2, id FROM orders ORDER BY ALL DESC",
      [
        [1, 3],
        [1, 1],
        [0, 2],
      ],
    ],
    ["SELECT id FROM orders UNION SELECT 0 ORDER BY ALL", [[0], [1], [2], [3]]],
    ["SELECT `all` FROM (SELECT id AS `all` FROM orders) ORDER BY `all` DESC", [[3], [2], [1]]],
    ["SELECT row_number() OVER (ORDER BY 6 / id) AS n, id FROM orders QUALIFY n = 1", [[1, 3]]],
    ["SELECT (SELECT sum(o.id) / p.id FROM orders AS o) AS q FROM orders AS p ORDER BY q", [[2], [3], [6]]],
  ] as const) {
    test(sql, async () => assert.deepEqual((await shop.query(sql)).rows, rows));
  }

  test("deeply nested divisions are rejected instead of blocking the engine", async () => {
    const nested = (depth: number) =>
      `SELECT ${"1 / (id + ".repeat(depth)}1${")".repeat(depth)} AS x FROM orders`;
    assert.equal((await shop.query(nested(4))).count, 3);
    assert.equal(await shop.errorMessage(nested(15)), "This is nested too deeply: split it up with WITH.");
  });
});

test("queries in DuckDB's dialect do not use ANSI mode", async () => {
  const sql = "SELECT CAST(3.7 AS INT) AS a, 1 / 0 AS b, 7 % 0 AS c, substring('abc', 0, 2) AS d";
  const { rows } = await shop.query(sql, { dialect: "duckdb" });
  assert.deepEqual(rows, [[4, "Infinity", null, "a"]]);
});

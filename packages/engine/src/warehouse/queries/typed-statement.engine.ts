import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { openShop, type TestShop } from "../testing/shop.ts";

suite("Types of operands", () => {
  let shop: TestShop;
  before(async () => {
    shop = await openShop();
  });
  after(() => shop[Symbol.asyncDispose]());

  const answer = async (sql: string): Promise<[types: string, rows: unknown]> => {
    const { columns, rows } = await shop.query(sql);
    return [columns.map(({ type }) => type).join(" "), rows];
  };

  test("a quotient of DECIMALs is exact, rounded half up, on both sides of zero", async () => {
    const decimals = "CAST(a AS DECIMAL(4, 1)) / CAST(b AS DECIMAL(2, 0))";
    const sql = `SELECT ${decimals} FROM VALUES (1.0, 3), (-2.0, 3), (2.0, -3), (0.5, 8), (NULL, 0), (7.0, NULL) AS t(a, b)`;
    assert.deepEqual(await answer(sql), [
      "DECIMAL(9,6)",
      [["0.333333"], ["-0.666667"], ["-0.666667"], ["0.062500"], [null], [null]],
    ]);
    assert.match(await shop.errorMessage("SELECT 1.5 / CAST(0 AS DECIMAL(3, 1))"), /^DIVIDE_BY_ZERO: /);
  });

  test("a quotient keeps digits that a DOUBLE does not have", async () => {
    assert.deepEqual(
      await answer(
        "SELECT CAST('12345678901234567.89' AS DECIMAL(19, 2)) / CAST('0.07' AS DECIMAL(5, 2)), CAST('9999999999999999999999.99' AS DECIMAL(24, 2)) / 3",
      ),
      ["DECIMAL(27,8) DECIMAL(28,6)", [["176366841446208112.71428571", "3333333333333333333333.330000"]]],
    );
  });

  test("types are known in subqueries, CTEs, groups, windows, lambdas and correlated queries", async () => {
    const day = "day >= '2026-01-04'";
    const cases: readonly [sql: string, types: string][] = [
      ["SELECT x * 2 FROM (SELECT amount / 4 AS x FROM orders) ORDER BY 1", "DECIMAL(10,6)"],
      [
        "WITH t AS (SELECT sum(amount) AS total FROM orders), u AS (SELECT total / 2 AS half FROM t) SELECT half + 1 FROM u",
        "DECIMAL(19,6)",
      ],
      [
        "SELECT amount + 1, count(*) FROM orders GROUP BY amount + 1 ORDER BY amount + 1",
        "DECIMAL(5,2) BIGINT",
      ],
      ["SELECT amount / 2 AS amount FROM orders ORDER BY amount + 1", "DECIMAL(8,6)"],
      ["SELECT avg(amount) OVER (PARTITION BY day ORDER BY id) FROM orders", "DECIMAL(8,6)"],
      ["SELECT avg(DISTINCT amount) FILTER (WHERE id < 3) FROM orders", "DECIMAL(8,6)"],
      [
        "SELECT transform(array(amount), x -> x * 2), transform(array(id), x -> x * 2) FROM orders",
        "ARRAY<DECIMAL(6,2)> ARRAY<INT>",
      ],
      [
        "SELECT (SELECT max(o.amount) - p.amount FROM orders o WHERE o.id = p.id) FROM orders p",
        "DECIMAL(5,2)",
      ],
      [`SELECT count(*) FROM orders WHERE ${day} AND amount > '9'`, "BIGINT"],
      ["SELECT DISTINCT amount * 2 FROM orders ORDER BY amount * 2", "DECIMAL(6,2)"],
      [
        "SELECT * FROM (SELECT customer, amount FROM orders) PIVOT (sum(amount) AS s, max(amount) AS m FOR customer IN ('ada'))",
        "DECIMAL(14,2) DECIMAL(4,2)",
      ],
      ["SELECT explode(array(1.5, 2.5)) FROM orders", "DECIMAL(2,1)"],
    ];
    for (const [sql, types] of cases) assert.equal((await answer(sql))[0], types, sql);
  });

  test("a chain of 200 sums is planned a few times", async () => {
    const chain = Array.from({ length: 200 }, () => "amount").join(" + ");
    const [types] = await answer(`SELECT ${chain} FROM orders`);
    assert.equal(types, "DECIMAL(38,2)");
  });

  test("a DOUBLE as text has an exponent where Java writes one", async () => {
    const numbers =
      "(0.001D), (0.0001D), (9999999D), (1e7D), (-123456789.5D), (1.5e-300D), (1e300D), (0D), (-0.00012D)";
    const [, rows] = await answer(`SELECT CAST(x AS STRING), 'n' || x FROM VALUES ${numbers} AS t(x)`);
    const texts = [
      "0.001",
      "1.0E-4",
      "9999999.0",
      "1.0E7",
      "-1.234567895E8",
      "1.5E-300",
      "1.0E300",
      "0.0",
      "-1.2E-4",
    ];
    assert.deepEqual(
      rows,
      texts.map((text) => [text, `n${text}`]),
    );
  });

  test("what has no equivalent is refused with a sentence", async () => {
    const cases: readonly [sql: string, message: RegExp][] = [
      [
        "SELECT day - DATE '2026-01-01' FROM orders",
        /a date minus a date is not supported here\. Write datediff/i,
      ],
      ["SELECT CAST(INTERVAL 1 DAY AS STRING) FROM orders", /cannot be written as text here/],
      ["SELECT 'x' || array(struct(1)) FROM orders", /./],
      ["SELECT max(struct(amount, id)) FROM orders", /max\(\) of a struct is not supported here/i],
      [
        "SELECT * FROM (SELECT customer, amount FROM orders) PIVOT (avg(amount) FOR customer IN ('ada'))",
        /^DECIMALs are computed here/,
      ],
      ["SELECT id = true FROM orders", /a number cannot be compared with a BOOLEAN/i],
      [
        "SELECT id FROM orders UNION SELECT 'a'",
        /column 1 is a number in one SELECT and a text in the other/i,
      ],
    ];
    for (const [sql, message] of cases) assert.match(await shop.errorMessage(sql), message, sql);
  });
});

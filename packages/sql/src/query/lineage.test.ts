import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { shop } from "../testing/shop.ts";
import { analyzeSelect } from "./select-analysis.ts";

const sql = await loadSqlParser();

/** `name <- orders.a + ?b(orders, lines)` */
function lineage(text: string): readonly string[] {
  const { columns, problems } = analyzeSelect(sql, text, shop);
  assert.equal(problems, undefined, JSON.stringify(problems));
  const short = (table: string) => table.split(".").at(-1) ?? "";
  return (columns ?? []).map(({ name, sources }) => {
    const all = sources.map((source) =>
      source.table === null
        ? `?${source.column}(${source.candidates.map(short).join(", ")})`
        : `${short(source.table)}.${source.column}`,
    );
    return `${name} <- ${all.join(" + ")}`.trim();
  });
}

const examples: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "a column": ["SELECT amount AS revenue FROM orders", "revenue <- orders.amount"],
  "an expression": [
    "SELECT a.x * b.y AS z FROM orders a JOIN Lines b ON a.id = b.id",
    "z <- orders.x + lines.y",
  ],
  "a name of three parts": ["SELECT shop.sales.orders.id FROM shop.sales.orders", "id <- orders.id"],
  "a field of a struct": [
    "SELECT o.address.city, items[0].price AS p FROM orders o",
    "city <- orders.address",
    "p <- orders.items",
  ],
  "a literal": [
    "SELECT 1 AS one, current_date AS today, count(*) AS n FROM orders",
    "one <-",
    "today <-",
    "n <-",
  ],
  "a CTE": ["WITH c AS (SELECT amount AS a FROM orders) SELECT a + 1 AS b FROM c", "b <- orders.amount"],
  "a CTE with names": ["WITH c (k) AS (SELECT amount FROM orders) SELECT c.k FROM c", "k <- orders.amount"],
  "a CTE that hides a table": [
    "WITH orders AS (SELECT name AS id FROM crm.customers) SELECT id FROM orders",
    "id <- customers.name",
  ],
  "a CTE within a CTE": [
    "WITH c AS (SELECT id AS x FROM orders), d AS (WITH c AS (SELECT name AS x FROM crm.customers) SELECT x FROM c) SELECT c.x AS a, d.x AS b FROM c, d",
    "a <- orders.id",
    "b <- customers.name",
  ],
  "a recursive CTE": [
    "WITH RECURSIVE r (n) AS (SELECT start FROM orders UNION ALL SELECT n + step FROM r JOIN Lines ON true) SELECT n FROM r",
    "n <- orders.start + lines.step",
  ],
  "a subquery": ["SELECT s.b FROM (SELECT a AS b FROM orders) s", "b <- orders.a"],
  "a scalar subquery": [
    "SELECT (SELECT max(x) FROM Lines l WHERE l.id = o.id) AS m FROM orders o",
    "m <- lines.x",
  ],
  "a set operation, by position": [
    "SELECT a, b FROM orders UNION ALL SELECT c, d FROM Lines",
    "a <- orders.a + lines.c",
    "b <- orders.b + lines.d",
  ],
  "a star over a CTE": [
    "WITH c AS (SELECT a, b AS x FROM orders) SELECT * FROM c",
    "a <- orders.a",
    "x <- orders.b",
  ],
  "a star with exceptions": [
    "WITH c AS (SELECT a, b FROM orders) SELECT * EXCEPT (A) FROM c",
    "b <- orders.b",
  ],
  "a star over a table whose columns are known": [
    "SELECT * FROM crm.blocked",
    "customer_id <- blocked.customer_id",
    "Since <- blocked.Since",
  ],
  "through a star": [
    "WITH c AS (SELECT *, a + b AS x FROM orders) SELECT id, x FROM c",
    "id <- orders.id",
    "x <- orders.a + orders.b",
  ],
  "a name that two tables might have": ["SELECT x FROM orders JOIN Lines ON true", "x <- ?x(orders, lines)"],
  "a name that only one of them can have": [
    "SELECT since FROM orders JOIN crm.blocked b ON true",
    "since <- blocked.Since",
  ],
  USING: ["SELECT id, l.x FROM orders JOIN Lines l USING (id)", "id <- orders.id + lines.id", "x <- lines.x"],
  "a semi join": ["SELECT id FROM orders LEFT SEMI JOIN Lines USING (id)", "id <- orders.id"],
  "an alias that is used again": [
    "SELECT a AS x, x + b AS y FROM orders",
    "x <- orders.a",
    "y <- orders.a + orders.b",
  ],
  "an alias like its column": [
    "SELECT upper(name) AS name, name AS same FROM orders",
    "name <- orders.name",
    "same <- orders.name",
  ],
  "a lambda": [
    "SELECT transform(items, i -> i.price * rate) AS p FROM orders",
    "p <- orders.items + orders.rate",
  ],
  "a window": [
    "SELECT row_number() OVER (PARTITION BY a ORDER BY b) AS n FROM orders",
    "n <- orders.a + orders.b",
  ],
  "a unit of time": ["SELECT dateadd(MONTH, 1, day) AS d FROM orders", "d <- orders.day"],
  LATERAL: [
    "SELECT l.m FROM orders o, LATERAL (SELECT max(x) AS m FROM Lines WHERE k = o.k) l",
    "m <- lines.x",
  ],
  "LATERAL VIEW": [
    "SELECT item.price FROM orders LATERAL VIEW explode(items) v AS item",
    "price <- orders.items",
  ],
  "explode in FROM": ["SELECT v.k FROM orders o, LATERAL explode(o.items) AS v(k)", "k <- orders.items"],
  "explode in the list": [
    "SELECT explode(items) AS (k, v) FROM orders",
    "k <- orders.items",
    "v <- orders.items",
  ],
  UNPIVOT: [
    "SELECT id, quarter, amount FROM orders UNPIVOT (amount FOR quarter IN (q1, q2))",
    "id <- orders.id",
    "quarter <-",
    "amount <- orders.q1 + orders.q2",
  ],
  PIVOT: [
    "SELECT id, jan FROM orders PIVOT (sum(amount) FOR month IN (1 AS jan, 2 AS feb))",
    "id <- orders.id",
    "jan <- orders.amount",
  ],
  VALUES: ["SELECT v.b FROM VALUES (1, 2) AS v(a, b)", "b <-"],
  "VALUES alone": ["VALUES (1, 'a')", "col1 <-", "col2 <-"],
  "all columns in one": ["SELECT struct(*) AS s FROM orders", "s <- orders.*"],
  "a variant": ["SELECT data:a.b[0]::int AS x FROM orders", "x <- orders.data"],
  "time travel": ["SELECT id FROM orders VERSION AS OF 3", "id <- orders.id"],
  "parentheses and comments": [
    "( SELECT /* a */ (o.`größe`) -- b\nFROM (orders) o ) ;",
    "größe <- orders.größe",
  ],
};

for (const [what, [text, ...expected]] of Object.entries(examples)) {
  test(`the sources of ${what}`, () => assert.deepEqual(lineage(text), expected));
}

test("the location of a column is that of its name, counted in characters", () => {
  const text = "SELECT '😀é' AS a, o.b,\r\n  -- 😀\r\n  upper('😀') AS c FROM orders o";
  assert.deepEqual(
    analyzeSelect(sql, text, shop).columns?.map(({ name, line, column }) => [name, line, column]),
    [
      ["a", 1, 16],
      ["b", 1, 19],
      ["c", 3, 17],
    ],
  );
});

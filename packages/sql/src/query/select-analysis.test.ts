import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { describeProblem } from "../source-location.ts";
import { shop } from "../testing/shop.ts";
import { analyzeSelect } from "./select-analysis.ts";

const sql = await loadSqlParser();
const problemsOf = (text: string): readonly string[] =>
  (analyzeSelect(sql, text, shop).problems ?? []).map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );

test("a * of a table with unknown columns is accepted if its columns are chosen by name", () => {
  const read = (text: string) => analyzeSelect(sql, text, { ...shop, isChosenByName: true });
  const star = read("WITH a AS (SELECT * FROM orders) SELECT 1 AS one, a.* FROM a");
  assert.deepEqual(
    star.open?.map(({ tables, find }) => [tables, find("id")]),
    [[["shop.sales.orders"], [{ table: "shop.sales.orders", column: "id" }]]],
  );
  assert.deepEqual(
    star.columns?.map(({ name }) => name),
    ["one"],
  );
  for (const text of [
    "SELECT id FROM orders UNION ALL SELECT * FROM lines",
    "SELECT * FROM explode(array(1))",
  ])
    assert.equal(read(text).problems?.length, 1, text);
});

test("columns that come from a known * are marked", () => {
  const columns = ["id", "country"];
  const tables = [{ name: { catalog: "shop", schema: "sales", table: "people" }, columns }];
  const found = analyzeSelect(sql, "SELECT *, id AS other FROM people", { ...shop, tables });
  assert.deepEqual(
    found.columns?.map(({ name, isFromStar }) => [name, isFromStar]),
    [
      ["id", true],
      ["country", true],
      ["other", undefined],
    ],
  );
});

test("names after a column are fields of a struct, checked against its type", () => {
  const types = {
    id: "BIGINT",
    Address:
      "STRUCT<Street: STRING, geo: STRUCT<lat: DECIMAL(9, 6), `lon g`: DOUBLE NOT NULL COMMENT 'a, b'>, zip: INT>",
    lines: "ARRAY<STRUCT<sku: STRING, price: DECIMAL(18, 2)>>",
    extras: "MAP<STRING, STRUCT<a: INT>>",
    odd: "GEOMETRY(4326)",
  };
  const tables = [
    { name: { catalog: "shop", schema: "sales", table: "people" }, columns: Object.keys(types), types },
    { name: { catalog: "shop", schema: "sales", table: "orders" } },
  ];
  const problems = (text: string) =>
    (analyzeSelect(sql, text, { ...shop, tables }).problems ?? []).map(
      ({ line, column, message }) => `${line}:${column} ${message}`,
    );
  for (const text of [
    "SELECT address.street, p.ADDRESS.geo.lat AS a, sales.people.address.geo.`lon g` AS b FROM people AS p JOIN people ON true",
    "SELECT lines.price, extras.anything.a AS x, odd.thing FROM people",
    "SELECT x.address.geo.lat FROM (SELECT * FROM people) AS x",
    "SELECT address.nothing AS a FROM (SELECT named_struct('nothing', 1) AS address FROM people) AS x",
    "SELECT orders.address.nothing FROM orders",
    "SELECT address.street AS geo, geo.lat FROM (SELECT address, address.geo FROM people) AS x",
  ])
    assert.deepEqual(
      problems(text).filter((one) => !one.includes("ambiguous")),
      [],
      text,
    );
  const wrong: [text: string, expected: RegExp][] = [
    ["SELECT address.stret FROM people", /^1:16 Address has no field stret\. Did you mean Street\?/],
    [
      "SELECT p.address.country FROM people p",
      /^1:18 Address has no field country\. Fields: Street, geo, zip\.$/,
    ],
    ["SELECT 1 AS one\nFROM people WHERE address.geo.alt > 1", /^2:31 Address\.geo has no field alt\./],
    ["SELECT id.x FROM people", /^1:11 id is BIGINT, not a struct, so it has no field x\.$/],
    ["SELECT address.zip.plus4 FROM people", /^1:20 Address\.zip is INT, not a struct/],
    ["SELECT lines.cost FROM people", /^1:14 lines has no field cost\. Fields: sku, price/],
    ["SELECT adress.street FROM people", /^1:8 adress is neither a table nor a column here/],
  ];
  for (const [text, expected] of wrong) {
    const found = problems(text);
    assert.equal(found.length, 1, `${text}: ${found.join("; ")}`);
    assert.match(found[0] ?? "", expected);
  }
});

test("the type of a column is read in linear time", () => {
  const types = { a: `${"STRUCT<a: ARRAY<".repeat(20_000)}INT` };
  const tables = [{ name: { catalog: "shop", schema: "sales", table: "people" }, columns: ["a"], types }];
  assert.ok(analyzeSelect(sql, "SELECT a.b FROM people", { ...shop, tables }).problems);
  assert.ok(analyzeSelect(sql, "SELECT a.a.a.a.a FROM people", { ...shop, tables }).columns);
});

/** Each text has exactly one problem, at this location. */
const refused: readonly (readonly [string, string])[] = [
  // not one query
  ["", "1:1 the text is empty"],
  ["-- nothing", "1:1 the text is empty"],
  ["DROP TABLE orders", "1:1 expected SELECT, WITH or VALUES, found DROP"],
  ["TABLE orders", "1:1 expected SELECT"],
  ["FROM orders SELECT id", "1:1 expected SELECT"],
  ["EXPLAIN SELECT id FROM orders", "1:1 expected SELECT"],
  ["EXECUTE IMMEDIATE 'SELECT 1'", "1:1 expected SELECT"],
  ["SELECT id FROM orders; DROP TABLE orders", "1:24 expected the end after the semicolon"],
  ["SELECT id FROM orders; SELECT id FROM orders", "1:24 expected the end after the semicolon"],
  // other tables
  [
    "SELECT id FROM secret",
    "1:16 shop.sales.secret is not a declared source table. Declared: shop.sales.orders",
  ],
  [
    "SELECT id FROM crm.custmers",
    "1:16 shop.crm.custmers is not a declared source table. Did you mean shop.crm.customers?",
  ],
  ["SELECT id FROM other.sales.orders", "1:16 other.sales.orders is not a declared"],
  [
    "SELECT id\nFROM orders\nWHERE id IN (\n  SELECT id FROM secret)",
    "4:18 shop.sales.secret is not a declared",
  ],
  ["SELECT '😀😀' AS a, x.b FROM secret AS x", "1:28 shop.sales.secret is not a declared"],
  ["WITH c AS (SELECT id FROM c) SELECT id FROM c", "1:27 shop.sales.c is not a declared"],
  [
    "SELECT a.id FROM (WITH c AS (SELECT id FROM orders) SELECT id FROM c) a, c",
    "1:74 shop.sales.c is not a declared",
  ],
  ["WITH c AS (SELECT id FROM orders) SELECT id FROM sales.c", "1:50 shop.sales.c is not a declared"],
  ["SELECT id FROM delta.`/mnt/x`", "1:16 delta./mnt/x reads files"],
  ["SELECT id FROM parquet.`s3://x`", "1:16 parquet.s3://x reads files"],
  ["SELECT id FROM 's3://x.csv'", "1:16 's3://x.csv' is a string"],
  ['SELECT id FROM "orders"', '1:16 "orders" is a string'],
  ["SELECT id FROM a.b.c.orders", "1:20 a.b.c.orders has too many parts"],
  ["SELECT id FROM (TABLE orders)", "1:17 TABLE is a keyword here"],
  ["SELECT id FROM STREAM orders", "1:16 STREAM is a keyword here"],
  ["SELECT id FROM STREAM(orders)", "1:16 stream() is not allowed here"],
  ["SELECT id FROM IDENTIFIER('orders')", "1:16 identifier() is not allowed here"],
  ["SELECT id FROM read_files('/x')", "1:16 read_files() is not allowed here"],
  ["SELECT id FROM table_changes('orders', 1)", "1:16 table_changes() is not allowed here"],
  ["SELECT id FROM upper('x')", "1:16 upper() is not allowed in FROM"],
  ["SELECT id FROM orders@v1", "1:22 unexpected @"],
  // functions
  [
    "SELECT reflect('java.lang.System', 'getenv') AS a",
    "1:8 reflect() is not allowed here: it calls Java code",
  ],
  ["SELECT `reflect`('java.lang.System', 'getenv') AS a", "1:8 reflect() is not allowed here"],
  ["SELECT secret('scope', 'key') AS a", "1:8 secret() is not allowed here: it reads secrets"],
  ["SELECT ai_query('model', 'x') AS a", "1:8 ai_query() is not allowed here"],
  ["SELECT my_function(id) AS a FROM orders", "1:8 my_function() is not a built-in function"],
  [
    "SELECT uper(id) AS a FROM orders",
    "1:8 uper() is not a built-in function. User-defined functions are not allowed, because they can read any table. Did you mean upper?",
  ],
  ["SELECT sales.f(id) AS a FROM orders", "1:14 f() is a function of a schema"],
  ["SELECT TRANSFORM(id) USING 'cat' AS (a) FROM orders", "1:22 TRANSFORM scripts are not supported"],
  // mistakes that the parser accepts
  ["SELECT id, FROM orders", "1:10 unexpected comma at the end of a list"],
  ["SELECT FROM orders", "1:1 expected at least one column after SELECT"],
  ["SELECT id INTO x FROM orders", "1:11 unexpected INTO"],
  ["SELECT id NOT x FROM orders", "1:11 expected IN, LIKE"],
  ["SELECT id AS a FROM orders WHERE id IN ()", "1:37 expected at least one value after IN"],
  ["SELECT id FROM orders *", "1:23 unexpected *"],
  ["SELECT id FROM orders FOR UPDATE", "1:27 unexpected UPDATE"],
  ["SELECT id FROM orders PREWHERE x", "1:23 unexpected PREWHERE"],
  ["SELECT id FROM orders WITH (", "1:28 this ( is never closed"],
  ["WITH c AS (SELECT id FROM orders) VALUES (1)", "1:6 unexpected c"],
  ["WITH c AS (DELETE FROM orders RETURNING id) SELECT id FROM c", "1:12 unexpected DELETE"],
  ["SELECT cast(id AS nonsense) AS a FROM orders", "1:19 unexpected nonsense"],
  ["SELECT DISTINCT ON (id) name FROM orders", "1:25 Databricks does not support this clause of a SELECT"],
  // parameters and templates
  ["SELECT :x AS a", "1:8 parameters are not supported"],
  ["SELECT ? AS a", "1:8 unexpected ?"],
  ["SELECT '${env:HOME}' AS a", "1:9 Spark would substitute ${…}"],
  ["SELECT 1 AS a -- ${x}", "1:18 Spark would substitute ${…}"],
  ["SELECT {{ x }} AS a", "1:8 unexpected {"],
  // tokens that engines split differently
  ["SELECT 1 AS a -- x \\\n, 2 AS b", "1:15 this comment ends in a backslash"],
  ["SELECT 1 AS a -- x \r, 2 AS b", "1:15 this comment contains a carriage return"],
  ["SELECT /* /* */ 1 AS a", "1:8 nested comments are not supported"],
  ["SELECT 1 AS a /* x", "1:15 this comment is never closed"],
  ["SELECT 'x AS a", "1:8 this string is never closed"],
  ["SELECT `x FROM orders", "1:8 this name is never closed"],
  ["SELECT 1 AS größe", "1:13 put the name größe in backticks"],
  ["SELECT 1 AS 2x", "1:13 put the name 2x in backticks"],
  ["SELECT\u00a01 AS a", "1:7 the character U+00A0 looks like a space"],
  ["SELECT '\u202e' AS a", "1:9 the character U+202E is invisible"],
  ["SELECT '\0' AS a", "1:9 the character U+0000 is invisible"],
  // columns
  ["SELECT * FROM orders", "1:8 the columns of shop.sales.orders are unknown"],
  ["SELECT o.* FROM orders o", "1:8 the columns of shop.sales.orders are unknown"],
  ["SELECT id FROM orders UNION ALL SELECT * FROM Lines", "1:47 the columns of shop.sales.lines are unknown"],
  ["SELECT upper(id) FROM orders", "1:8 this expression has no name"],
  ["WITH c AS (SELECT 1 AS a) SELECT a,\n  a + 1 FROM c", "2:3 this expression has no name"],
  ["SELECT id, amount AS ID FROM orders", "1:22 the column ID appears twice"],
  [
    "WITH c AS (SELECT id AS customer FROM orders) SELECT custmer FROM c",
    "1:54 custmer is not a column of any table here. Did you mean customer?",
  ],
  ["SELECT b.customr_id FROM crm.blocked b", "1:10 b has no column customr_id. Did you mean customer_id?"],
  ["SELECT customer_id FROM crm.blocked a, crm.blocked b", "1:8 customer_id is ambiguous: a and b have it"],
  [
    "SELECT id, amount FROM orders UNION SELECT id FROM Lines",
    "1:44 UNION needs the same number of columns on both sides: the left has 2, the right has 1",
  ],
  ["WITH c (a, b) AS (SELECT 1) SELECT a FROM c", "1:9 expected 1 column name, found 2"],
  // grammar
  ["SELECT (id FROM orders", "1:8 this ( is never closed"],
  ["SELECT CASE WHEN id THEN 1 FROM orders", "1:28 unexpected FROM: expected END"],
  ["SELECT id FROM orders WHERE", "1:23 the text ends too early after WHERE"],
  ["SELECT id FROM orders LEFT Lines", "1:28 unexpected Lines: expected JOIN"],
];

for (const [text, expected] of refused) {
  test(`rejected: ${JSON.stringify(text)}`, () => {
    const [first] = problemsOf(text).filter((problem) => problem.startsWith(expected));
    assert.ok(first, `expected ${expected}, found ${problemsOf(text).join(" | ") || "nothing"}`);
  });
}

test("all problems are reported at once, in the order of the text", () => {
  const text = `SELECT
  uper(o.name) AS name,
  o.amount + 1,
  s.x AS Name
FROM secret AS s
JOIN orders AS o ON o.id = s.id
WHERE EXISTS (SELECT 1 FROM hidden)`;
  assert.deepEqual(
    problemsOf(text).map((problem) => problem.slice(0, 28)),
    [
      "2:3 uper() is not a built-in",
      "3:3 this expression has no n",
      "4:10 the column Name appears",
      "5:6 shop.sales.secret is not",
      "7:29 shop.sales.hidden is no",
    ],
  );
});

test("a problem is a sentence with its location", () => {
  const [problem] = analyzeSelect(sql, "SELECT 1", shop).problems ?? [];
  assert.equal(
    problem && describeProblem(problem),
    "matched_sql, line 1, column 8: this expression has no name: add AS and a column name.",
  );
});

test("user-defined functions can be allowed by name, functions with side effects cannot", () => {
  const rules = { ...shop, functions: ["My_Mask", "reflect"] };
  assert.equal(analyzeSelect(sql, "SELECT my_mask(id) AS a FROM orders", rules).problems, undefined);
  assert.ok(analyzeSelect(sql, "SELECT reflect(id) AS a FROM orders", rules).problems);
});

test("each table is listed once, in the order of the text", () => {
  const text = "SELECT o.id FROM Orders o, SHOP.crm.CUSTOMERS c, `sales`.`orders` p";
  assert.deepEqual(analyzeSelect(sql, text, shop).tables, ["shop.sales.orders", "shop.crm.customers"]);
});

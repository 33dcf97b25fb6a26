import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsOf, testProblems } from "../testing/expected-problems.ts";

const head = "CREATE STREAMING TABLE s AS ";
const at = (column: number, message: string): string => `1:${head.length + column} ${message}`;
const join = "this join would return rows of the other table again in every update";
const onlyInFrom = "a stream is allowed only in FROM";

// Queries whose result depends on how rows are split into updates.
testProblems(
  (
    [
      ["SELECT id, count(*) AS n FROM STREAM raw.orders GROUP BY id", 12, "count() needs all rows"],
      ["SELECT id FROM STREAM(raw.orders) GROUP BY id", 35, "GROUP BY needs all rows"],
      ["SELECT coalesce(sum(amount), 0) AS a FROM STREAM raw.orders", 17, "sum() needs all rows"],
      ["SELECT any(op = 'x') AS a FROM STREAM raw.orders", 8, "any() needs all rows"],
      ["SELECT DISTINCT id FROM STREAM raw.orders", 8, "DISTINCT needs all rows"],
      ["SELECT id FROM STREAM(raw.orders) LIMIT 2", 35, "LIMIT needs all rows"],
      ["SELECT id FROM STREAM(raw.orders) OFFSET 2", 35, "OFFSET needs all rows"],
      ["SELECT id FROM STREAM(raw.orders) ORDER BY id", 35, "ORDER BY needs all rows"],
      [
        "SELECT id, row_number() OVER (ORDER BY id) AS n FROM STREAM raw.orders",
        25,
        "a window function needs all rows",
      ],
      [
        "SELECT id FROM STREAM raw.orders QUALIFY row_number() OVER (ORDER BY id) = 1",
        34,
        "QUALIFY needs all rows",
      ],
      [
        "SELECT id FROM STREAM(raw.orders) UNION ALL SELECT id FROM raw.returns",
        35,
        "UNION would add its other side",
      ],
      [
        "SELECT id FROM customers EXCEPT SELECT id FROM STREAM(raw.orders)",
        26,
        "EXCEPT would add its other side",
      ],
      [
        "(SELECT id FROM STREAM(raw.orders)) UNION (SELECT id FROM customers)",
        37,
        "UNION would add its other side",
      ],
      ["SELECT o.id FROM customers c LEFT JOIN STREAM(raw.orders) o ON o.id = c.id", 30, join],
      ["SELECT c.id FROM STREAM(raw.orders) o RIGHT OUTER JOIN customers c ON o.id = c.id", 39, join],
      ["SELECT c.id FROM STREAM raw.orders o FULL JOIN customers c ON o.id = c.id", 38, join],
      ["SELECT c.id FROM customers c LEFT SEMI JOIN STREAM raw.orders o ON o.id = c.id", 30, join],
      ["SELECT c.id FROM customers c ANTI JOIN STREAM raw.orders o ON o.id = c.id", 30, join],
      [
        "SELECT c.id FROM customers c LEFT JOIN (SELECT id FROM STREAM(raw.orders)) o ON o.id = c.id",
        30,
        join,
      ],
      ["SELECT id FROM customers WHERE id IN (SELECT id FROM STREAM(raw.orders))", 61, onlyInFrom],
      ["SELECT id, EXISTS (SELECT 1 FROM STREAM(raw.orders)) AS e FROM customers", 41, onlyInFrom],
      [
        "WITH w AS (SELECT id FROM STREAM(raw.orders)) SELECT max(id) AS m FROM w",
        54,
        "max() needs all rows",
      ],
      ["WITH w AS (SELECT id FROM STREAM(raw.orders) LIMIT 1) SELECT id FROM w", 46, "LIMIT needs all rows"],
      [
        "WITH w AS (SELECT id FROM STREAM(raw.orders)) SELECT a.id FROM w a JOIN w b ON a.id = b.id",
        73,
        "the stream is read twice here",
      ],
      ["SELECT n FROM (SELECT count(id) AS n FROM STREAM(raw.orders)) q", 23, "count() needs all rows"],
    ] as const
  ).map(([text, column, message]) => [head + text, at(column, message)] as const),
);

// A view over a stream is read incrementally, too.
testProblems([
  [
    "CREATE TEMPORARY VIEW v AS SELECT DISTINCT id FROM STREAM raw.orders; CREATE STREAMING TABLE s AS SELECT id FROM STREAM v",
    "1:35 DISTINCT needs all rows, but a stream has only the new rows of each update: use a materialized view without STREAM",
  ],
]);

for (const text of [
  "SELECT o.id, c.name FROM STREAM(raw.orders) o LEFT JOIN customers c ON o.customer_id = c.id",
  "SELECT o.id, c.name FROM customers c RIGHT JOIN STREAM(raw.orders) o ON o.customer_id = c.id",
  "SELECT o.id FROM STREAM(raw.orders) o LEFT ANTI JOIN customers c ON o.customer_id = c.id",
  "SELECT o.id FROM customers c LEFT JOIN raw.returns r ON r.id = c.id JOIN STREAM(raw.orders) o ON o.id = c.id",
  "SELECT o.id FROM STREAM(raw.orders) o JOIN (SELECT id, count(*) AS n FROM raw.returns GROUP BY id) r ON r.id = o.id",
  "SELECT id FROM STREAM(raw.orders) WHERE amount > (SELECT avg(amount) AS a FROM other.crm.sums ORDER BY a LIMIT 1)",
  "WITH n AS (SELECT count(*) AS n FROM customers), o AS (SELECT id FROM STREAM raw.orders) SELECT o.id, n.n FROM o CROSS JOIN n",
  "SELECT * EXCEPT (op) FROM STREAM(raw.orders)",
  "SELECT id, op IS DISTINCT FROM 'x' AS d, (op LIKE ANY ('a%', 'b%')) AS l FROM STREAM(raw.orders)",
  "SELECT id AS offset, op AS `group`, amount AS limit FROM STREAM(raw.orders)",
  "(SELECT id FROM STREAM(raw.orders))",
])
  test(`a stream in ${text}`, () => {
    const [first, second] = problemsOf(`CREATE TABLE other.crm.sums (amount INT); ${head}${text}`);
    assert.match(`${second}`, /^streaming_table s /, String(first));
  });

test("a flow that runs once can use any query", () =>
  assert.match(
    problemsOf(
      "CREATE STREAMING TABLE s; CREATE FLOW f AS INSERT INTO ONCE s BY NAME SELECT count(*) AS n FROM raw.orders",
    ).join("\n"),
    /^streaming_table s/,
  ));

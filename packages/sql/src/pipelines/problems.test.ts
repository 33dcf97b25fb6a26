import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsOf, testProblems } from "./testing/expected-problems.ts";

const stream = "CREATE STREAMING TABLE s;\n";

testProblems([
  // heads
  ["OPTIMIZE customers", "1:1 OPTIMIZE does not start a supported statement"],
  ["SELECT 1", "1:1 a query alone has no effect in a pipeline: create a view or a materialized view"],
  [
    "CREATE FUNCTION f() RETURN 1",
    "1:8 expected MATERIALIZED VIEW, STREAMING TABLE, VIEW, FLOW, TABLE or SCHEMA, found FUNCTION",
  ],
  ["CREATE OR REFRESH VIEW v AS SELECT 1 AS a", "1:8 a view cannot be refreshed: remove OR REFRESH"],
  [
    "CREATE OR REPLACE MATERIALIZED VIEW v AS SELECT 1 AS a",
    "1:19 OR REPLACE is not allowed for datasets of a pipeline: write OR REFRESH",
  ],
  [
    "CREATE OR REFRESH TABLE v AS SELECT 1 AS a",
    "1:19 expected MATERIALIZED VIEW, STREAMING TABLE or VIEW, found TABLE",
  ],
  ["CREATE VIEW a.b.c.d AS SELECT 1 AS a", "1:13 a table name has at most three parts"],
  ["CREATE VIEW `a b` AS SELECT 1 AS a", '1:13 the name "a b" contains a space'],
  ["CREATE VIEW v", "1:14 expected AS and a query, found the end"],
  ["CREATE VIEW v AS", "1:17 expected a query, found the end"],
  ["CREATE VIEW v AS DROP TABLE x", "1:18 expected SELECT, WITH or VALUES, found DROP"],
  ["CREATE VIEW v AS SELECT 1 AS a nonsense more", "1:32 unexpected nonsense"],
  [
    "CREATE MATERIALIZED VIEW m SCHEDULE CRON '0 0 * * * ?' AS SELECT 1 AS a",
    "1:28 SCHEDULE is not supported: schedule the pipeline with an automation",
  ],
  [
    "CREATE MATERIALIZED VIEW m TRIGGER ON UPDATE AS SELECT 1 AS a",
    "1:28 TRIGGER is not supported: start the pipeline with an automation",
  ],
  ["CREATE MATERIALIZED VIEW m COMMENT 'a' COMMENT 'b' AS SELECT 1 AS a", "1:40 COMMENT appears twice"],
  ["CREATE MATERIALIZED VIEW m USING PARQUET AS SELECT 1 AS a", "1:34 expected DELTA, found PARQUET"],
  ["CREATE MATERIALIZED VIEW m (a INTT) AS SELECT 1 AS a", "1:31 expected a type, found INTT"],
  ["CREATE MATERIALIZED VIEW m (a, A) AS SELECT 1 AS a, 2 AS b", '1:28 "a" appears twice'],
  [
    "CREATE MATERIALIZED VIEW m (a, b) AS SELECT 1 AS a",
    "1:26 shop.sales.m has 2 columns, but its query has 1",
  ],
  ["CREATE MATERIALIZED VIEW m (a AS SELECT 1 AS a", "1:28 this ( is never closed"],
  [
    "CREATE MATERIALIZED VIEW m CLUSTER BY (idd) AS SELECT id FROM customers",
    "1:26 shop.sales.m cannot be clustered by idd: it has no such column. Did you mean id?",
  ],
  // expectations
  [
    "CREATE MATERIALIZED VIEW m (CONSTRAINT a EXPECT (idd > 0), CONSTRAINT b EXPECT (id IN (SELECT 1)), CONSTRAINT c EXPECT (id, 2), CONSTRAINT d EXPECT (id >), CONSTRAINT e EXPECT (reflect(id))) AS SELECT id FROM customers",
    "1:50 idd is not a column of any table here. Did you mean id?",
    "1:88 an expression is evaluated for one row: a subquery is not allowed here",
    "1:123 expected one expression, found ,",
    "1:153 unexpected )",
    "1:178 reflect() is not allowed here",
  ],
  [
    "CREATE MATERIALIZED VIEW m (CONSTRAINT a EXPECT (a) ON VIOLATION IGNORE) AS SELECT 1 AS a",
    "1:66 expected DROP ROW or FAIL UPDATE, found IGNORE",
  ],
  // features of Databricks that are not supported
  [
    "CREATE STREAMING TABLE s AS SELECT id FROM STREAM(raw.orders) WATERMARK ts DELAY OF INTERVAL 1 HOUR",
    "1:63 WATERMARK is not supported here: remove it. Late rows are always processed",
  ],
  ["CREATE VIEW v AS SELECT struct(1 AS x) AS y", "1:25 struct() is not supported here: write named_struct("],
  // tables and columns
  [
    "CREATE VIEW v AS SELECT id FROM custmers",
    "1:33 there is no table shop.sales.custmers. Did you mean shop.sales.customers?",
  ],
  [
    "CREATE VIEW v AS SELECT id FROM LIVE.custmers",
    "1:38 there is no table shop.sales.custmers. Did you mean shop.sales.customers?",
  ],
  [
    "CREATE VIEW v AS\nSELECT nme\n  FROM customers",
    "2:8 nme is not a column of any table here. Did you mean name?",
  ],
  ["CREATE VIEW v AS SELECT count(*) FROM customers", "1:25 this expression has no name"],
  [
    "CREATE VIEW v AS SELECT name FROM a; CREATE VIEW a AS SELECT id FROM customers",
    "1:25 name is not a column of any table here",
  ],
  [
    "CREATE VIEW a AS SELECT 1 AS x;\ncreate view `A` as select 2 as y",
    "2:13 the dataset shop.sales.a already exists in 1.sql, line 1",
  ],
  [
    "USE other.crm; CREATE VIEW v AS SELECT * FROM LIVE.customers",
    "1:47 LIVE is ambiguous after USE: write the full name of the table",
  ],
  // streams
  [
    "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_files('/x')",
    "1:50 read_files() is not supported here: ingest files and messages with a connector",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT * FROM cloud_files('/x', 'json')",
    "1:43 cloud_files() is not supported here: ingest files and messages with a connector",
  ],
  [
    "CREATE MATERIALIZED VIEW m AS SELECT * FROM STREAM(customers)",
    "1:52 a materialized view cannot read a stream: remove STREAM, or make it a streaming table",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT * FROM customers",
    "1:29 a streaming table must read a stream: write FROM STREAM(table), or make it a materialized view",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT o.id FROM STREAM raw.orders o JOIN STREAM(raw.returns) r ON r.id = o.id",
    "1:78 a SELECT can read only one stream: use another flow for the second one, or read it without STREAM",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT o.id FROM STREAM raw.orders o JOIN raw.orders r ON r.id = o.id",
    "1:53 shop.raw.orders is read with and without STREAM: read one of them through a view",
  ],
  [
    "CREATE STREAMING TABLE t AS WITH c AS (SELECT 1 AS a) SELECT * FROM STREAM(c)",
    "1:76 STREAM needs the name of a table",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT * FROM STREAM(v); CREATE VIEW v AS SELECT * FROM customers",
    "1:50 shop.sales.v is a view that reads no stream: write STREAM in the view itself",
  ],
  [
    "CREATE STREAMING TABLE t AS SELECT * FROM STREAM(v); CREATE MATERIALIZED VIEW v AS SELECT 1 AS a",
    "1:50 shop.sales.v is a materialized view, whose rows change: a stream needs an append-only table",
  ],
  [
    "CREATE MATERIALIZED VIEW t AS SELECT * FROM v; CREATE VIEW v AS SELECT * FROM STREAM(customers)",
    "1:31 shop.sales.v is a view over a stream",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts; CREATE STREAMING TABLE t AS SELECT * FROM STREAM(s)`,
    "2:121 shop.sales.s is the target of AUTO CDC, which changes rows: a stream needs an append-only table",
  ],
  // flows
  [
    "CREATE STREAMING TABLE t",
    "1:24 shop.sales.t has no query: add AS and a query, a flow, or a list of columns",
  ],
  [
    "CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1 AS a",
    "1:30 shop.sales.t is not a dataset of this pipeline: the target of a flow must be a streaming table of the same pipeline",
  ],
  [
    "CREATE VIEW t AS SELECT 1 AS a; CREATE FLOW f AS INSERT INTO t BY NAME SELECT 1 AS a",
    "1:62 shop.sales.t is a view: the target of a flow must be a streaming table of the same pipeline",
  ],
  [`${stream}CREATE FLOW f AS INSERT INTO s SELECT 1 AS a`, "2:32 expected BY, found SELECT"],
  [
    `${stream}CREATE FLOW f AS UPDATE s`,
    "1:24 shop.sales.s has no query: add AS and a query, a flow, or a list of columns",
    "2:18 expected INSERT INTO or AUTO CDC INTO, found UPDATE",
  ],
  [
    `${stream}CREATE FLOW f AS INSERT INTO s BY NAME SELECT id FROM STREAM customers;\nCREATE FLOW F AS INSERT INTO s BY NAME SELECT id FROM STREAM raw.orders`,
    "3:13 shop.sales.s already has a flow named F, in line 2: use another name",
  ],
  [
    "CREATE STREAMING TABLE s (id INT); CREATE FLOW f AS INSERT INTO s BY NAME SELECT id, name FROM STREAM customers",
    "1:86 shop.sales.s has no column name",
  ],
  [
    `${stream}CREATE FLOW f AS AUTO CDC INTO s FROM STREAM(raw.orders) KEYS (idd) APPLY AS DELETE WHEN opp = 'x' SEQUENCE BY tss COLUMNS * EXCEPT (amnt) STORED AS SCD TYPE 2 TRACK HISTORY ON (i)`,
    "2:64 shop.raw.orders has no column idd. Did you mean id?",
    "2:90 opp is not a column of any table here. Did you mean op?",
    "2:112 tss is not a column of any table here. Did you mean ts?",
    "2:134 shop.raw.orders has no column amnt. Did you mean amount?",
    "2:179 shop.raw.orders has no column i",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts COLUMNS (amount)`,
    "2:52 the key id is not in COLUMNS: shop.sales.s needs it",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id)`,
    "2:55 expected SEQUENCE BY, found the end of the statement",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM raw.orders KEYS (id) SEQUENCE BY ts`,
    "2:27 AUTO CDC reads a stream: write FROM STREAM(shop.raw.orders)",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.ordrs) KEYS (id) SEQUENCE BY ts`,
    "2:34 there is no table shop.raw.ordrs. Did you mean shop.raw.orders?",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) APPLY AS TRUNCATE WHEN op = 'T' SEQUENCE BY ts STORED AS SCD TYPE 2`,
    "2:56 APPLY AS TRUNCATE WHEN is only for SCD TYPE 1: type 2 keeps the history",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts TRACK HISTORY ON (id)`,
    "2:71 TRACK HISTORY is only for SCD TYPE 2: type 1 keeps no history",
  ],
  [
    `${stream}APPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts STORED AS SCD TYPE 3`,
    "2:90 expected 1 or 2, found 3",
  ],
  [
    `${stream}CREATE FLOW f AS AUTO CDC FROM SNAPSHOT x INTO s`,
    "1:24 shop.sales.s has no query: add AS and a query, a flow, or a list of columns",
    "2:27 AUTO CDC FROM SNAPSHOT is available only in Python: use AUTO CDC INTO with a stream of changes",
  ],
  [
    "CREATE STREAMING TABLE s AS SELECT id FROM STREAM customers;\nAPPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts",
    "1:24 shop.sales.s is the target of AUTO CDC: no other flow can add rows",
  ],
  [
    `${stream}CREATE FLOW a AS INSERT INTO s BY NAME SELECT id FROM;\nCREATE FLOW b AS INSERT INTO s BY NAME SELECT id FROM STREAM customers;\nAPPLY CHANGES INTO s FROM STREAM(raw.orders) KEYS (id) SEQUENCE BY ts;\nCREATE FLOW c AS AUTO CDC INTO s FROM STREAM(raw.orders) KEYS (customer_id) SEQUENCE BY ts`,
    "2:30 shop.sales.s is the target of AUTO CDC: no other flow can add rows",
    "2:50 the text ends too early after FROM",
    "3:30 shop.sales.s is the target of AUTO CDC: no other flow can add rows",
    "5:32 the flows into shop.sales.s have different KEYS or SCD TYPE",
  ],
  // cycles
  ["CREATE VIEW a AS SELECT * FROM a", "1:13 shop.sales.a reads itself"],
  [
    "CREATE VIEW x AS SELECT * FROM b;\nCREATE VIEW a AS SELECT * FROM b;\nCREATE VIEW b AS SELECT * FROM c;\nCREATE VIEW c AS SELECT * FROM a, nothing",
    "2:13 shop.sales.a reads shop.sales.b, shop.sales.b reads shop.sales.c, shop.sales.c reads shop.sales.a: this is a cycle",
    "4:35 there is no table shop.sales.nothing",
  ],
  [
    "INSERT INTO customers SELECT * FROM a;\nCREATE VIEW a AS SELECT * FROM customers",
    "1:13 the statement in 1.sql, line 1, reads shop.sales.a, shop.sales.a reads the statement in 1.sql, line 1,",
  ],
  // values: a value that is not a name is not repeated
  [
    "CREATE VIEW v AS SELECT id FROM ${raw}.ordrs",
    "1:33 there is no table shop.raw.ordrs. Did you mean shop.raw.orders?",
  ],
  ["CREATE VIEW v AS SELECT '${password}' AS p", "1:37 this string is never closed"],
  ["CREATE VIEW v AS SELECT ${password} AS p", "1:25 the value that is substituted here is not valid"],
  // texts
  ["CREATE VIEW v AS SELECT 'x AS a", "1:25 this string is never closed"],
  ["CREATE VIEW v AS SELECT 1 AS a /* ; CREATE", "1:32 this comment is never closed"],
  ["CREATE VIEW v AS SELECT 1 AS a WHERE ?;\nCREATE VIEW w AS SELECT a, b FROM v", "1:38 unexpected ?"],
  [
    "CREATE VIEW v AS SELECT '${day}' AS d, ${x}, nme FROM customers;\nCREATE VIEW w AS SELECT '${day}' AS d, '${day}' AS e, nme FROM customers",
    '1:40 ${x} has no value: the configuration has no key "x"',
    "2:55 nme is not a column of any table here. Did you mean name?",
  ],
]);

test("a problem in one file does not cause problems in another", () => {
  assert.deepEqual(
    problemsOf(
      "CREATE VIEW a AS SELECT FROM customers; CREATE VIEW b (x y) AS SELECT 1; CREATE TABLE c (d);",
      "CREATE VIEW d AS SELECT a.q, b.*, c.d FROM a, b, c WHERE x = 3; CREATE VIEW e AS SELECT * FROM d",
    ).map((problem) => problem.slice(0, 40)),
    [
      "1.sql:1:18 expected at least one column ",
      "1.sql:1:58 expected a type, found y.",
      "1.sql:1:89 the column d has no type.",
    ],
  );
});

test("at most a hundred problems are reported", () => {
  const text = Array.from(
    { length: 300 },
    (_, index) => `CREATE VIEW v${index} AS SELECT x FROM nothing`,
  ).join(";\n");
  assert.equal(problemsOf(text).length, 100);
});

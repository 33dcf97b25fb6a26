import { testProblems } from "./testing/expected-problems.ts";

testProblems([
  [
    "CREATE TABLE customers (id INT)",
    "1:14 the table shop.sales.customers already exists: write OR REPLACE or IF NOT EXISTS",
  ],
  ["CREATE TABLE t ()", "1:17 a table needs at least one column, such as (id BIGINT)"],
  [
    "CREATE MATERIALIZED VIEW t () AS SELECT 1 AS a",
    "1:29 a table needs at least one column, such as (id BIGINT)",
  ],
  ["CREATE TABLE t (id)", "1:16 the column id has no type"],
  ["CREATE TABLE t", "1:15 expected columns or AS, found the end"],
  [
    "INSERT INTO customers SELECT id FROM customers",
    "1:23 shop.sales.customers needs 2 columns here, but the query has 1",
  ],
  ["INSERT INTO customers (idd) VALUES (1)", "1:13 shop.sales.customers has no column idd. Did you mean id?"],
  [
    "INSERT INTO custmers VALUES (1)",
    "1:13 there is no table shop.sales.custmers. Did you mean shop.sales.customers?",
  ],
  [
    "INSERT INTO customers REPLACE WHERE id = 1 SELECT * FROM customers",
    "1:23 PARTITION and REPLACE are not supported in INSERT: write a DELETE of these rows, and then the INSERT",
  ],
  [
    "UPDATE customers SET nme = 1, id = idd WHERE x = 3",
    "1:22 customers has no column nme. Did you mean name?",
    "1:36 idd is not a column",
    "1:46 x is not a column",
  ],
  [
    "UPDATE custmers SET a = 1",
    "1:8 there is no table shop.sales.custmers. Did you mean shop.sales.customers?",
  ],
  ["DELETE FROM customers AS c WHERE c.i = 1", "1:36 c has no column i"],
  [
    "MERGE INTO customers AS c USING raw.orders AS o ON c.id = o.idd WHEN MATCHED AND id = 1 THEN UPDATE SET nme = o.op WHEN NOT MATCHED THEN INSERT (id, name) VALUES (c.id, op)",
    "1:61 o has no column idd. Did you mean id?",
    "1:82 id is ambiguous",
    "1:105 c has no column nme. Did you mean name?",
    "1:164 c is neither a table nor a column here",
  ],
  ["MERGE INTO customers USING raw.orders o ON true", "1:1 MERGE needs ON and at least one WHEN"],
  ["DROP TABLE nothing", "1:12 there is no table shop.sales.nothing"],
  ["CREATE TABLE t (a INT); DROP TABLE t; INSERT INTO t VALUES (1)", "1:51 there is no table shop.sales.t"],
  ["ALTER TABLE customers ADD COLUMN name STRING", "1:13 shop.sales.customers already has a column name"],
  [
    "ALTER TABLE customers RENAME TO c",
    "1:23 expected ADD COLUMNS, ALTER COLUMN, SET TAGS or UNSET TAGS, found RENAME",
  ],
  [
    "COMMENT ON COLUMN customers.nme IS 'x'",
    "1:19 shop.sales.customers has no column nme. Did you mean name?",
  ],
  ["INSERT INTO t VALUES (1); CREATE TABLE t (a INT)", "1:13 there is no table shop.sales.t"],
  [
    "CREATE VIEW v AS SELECT 1 AS a; INSERT INTO v VALUES (1)",
    "1:45 shop.sales.v is a dataset of this pipeline: only its own query can change it",
  ],
  [
    "CREATE STREAMING TABLE s (a INT); INSERT INTO s VALUES (1)",
    "1:47 shop.sales.s is a dataset of this pipeline: add rows with CREATE FLOW … AS INSERT INTO shop.sales.s BY NAME",
  ],
  [
    "INSERT INTO customers SELECT * FROM STREAM(customers)",
    "1:44 only a streaming table can read a stream: remove STREAM",
  ],
]);

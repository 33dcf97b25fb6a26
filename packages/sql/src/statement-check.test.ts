import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "./parser/sql-parser.ts";
import { statementProblem } from "./statement-check.ts";

const sql = await loadSqlParser();

const valid = [
  "CREATE SCHEMA IF NOT EXISTS c.s COMMENT 'x'",
  `CREATE TABLE IF NOT EXISTS c.s.t (
  id BIGINT NOT NULL COMMENT 'it\\'s',
  a STRING,
  tags ARRAY<STRUCT<k: STRING, v: MAP<STRING, DECIMAL(10, 2)>>>,
  sk BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 1 INCREMENT BY 1),
  CONSTRAINT pk PRIMARY KEY (id) RELY,
  CONSTRAINT fk FOREIGN KEY (a) REFERENCES c.s.p (b)
)
USING DELTA
CLUSTER BY (id, a)
COMMENT 'hi'
TBLPROPERTIES ('delta.x' = 'y', 'k' = 'v')`,
  "CREATE OR REPLACE TABLE t (a INT) USING DELTA CLUSTER BY AUTO",
  "ALTER TABLE t ADD CONSTRAINT pk PRIMARY KEY (a) NOT ENFORCED RELY",
  "ALTER TABLE t DROP CONSTRAINT IF EXISTS pk",
  "ALTER TABLE t SET TBLPROPERTIES ('a' = 'b')",
  "ALTER TABLE t CLUSTER BY (a)",
  "ALTER TABLE t ADD COLUMNS (a INT COMMENT 'x', b STRING)",
  "ALTER TABLE t ALTER COLUMN c UNSET TAGS ('a')",
  "COMMENT ON TABLE t IS NULL",
  "USE CATALOG x",
  "USE x.y",
  "SET CATALOG x",
  "DESCRIBE DETAIL c.s.t",
  "INSERT INTO t (a, b) SELECT s.a, s.b FROM s LEFT ANTI JOIN t ON s.a <=> t.a",
  "INSERT INTO t REPLACE WHERE d = '2020' SELECT a, d FROM s",
  "MERGE INTO c.s.t AS target USING (SELECT a, b FROM s) AS source ON target.a <=> source.a WHEN MATCHED AND (target.q IS NULL OR source.q >= target.q) THEN UPDATE SET target.b = source.b WHEN NOT MATCHED THEN INSERT (a, b) VALUES (source.a, source.b) WHEN NOT MATCHED BY SOURCE AND target.d = '1' THEN DELETE",
  "MERGE WITH SCHEMA EVOLUTION INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET *",
  "CREATE OR REPLACE TEMP VIEW v AS SELECT a FROM t",
  "DELETE FROM t WHERE a = 1",
  "UPDATE t SET a = 1 WHERE b",
  "WITH x AS (SELECT 1 AS a) SELECT a FROM x;",
  "CREATE VOLUME IF NOT EXISTS c.`default`.v COMMENT 'checkpoints'",
  "CREATE CONNECTION IF NOT EXISTS shop TYPE POSTGRESQL OPTIONS (host 'db', port '5432', user secret('a', 'b'), password secret('a', 'c.d'))",
  "GRANT USE CONNECTION ON CONNECTION shop TO `data-team@shop.example`",
  "SELECT * FROM remote_query('shop', database => 'shop', query => 'SELECT \\'x\\' FROM t', fetchSize => 100)",
  "SELECT * FROM remote_query(placeholder, service_name => placeholder, query => placeholder)",
];

for (const text of valid) test(`valid: ${text}`, () => assert.equal(statementProblem(sql, text), undefined));

const invalid: readonly (readonly [string, string])[] = [
  [
    "SELECT DISTINCT ON (a) a, b FROM t",
    "line 1, column 8: DISTINCT ON is not supported: filter with QUALIFY row_number() OVER (PARTITION BY … ORDER BY …) = 1.",
  ],
  ["", "line 1, column 1: the statement is empty."],
  ["SELECT 1 AS a; SELECT 2 AS b", "line 1, column 14: expected a single statement, found a semicolon."],
  ["CREATE SCHEMA c.s garbage", "line 1, column 19: expected the end of the statement, found garbage."],
  ["CREATE TABLE t ()", "line 1, column 17: a table needs at least one column, such as (id BIGINT)."],
  ["ALTER TABLE t ADD COLUMNS ()", "line 1, column 28: expected at least one item between ( and )."],
  ["CREATE TABLE t (a INT, A STRING)", 'line 1, column 16: "a" appears twice.'],
  ["CREATE TABLE t (a INT, PRIMARY KEY (b))", "line 1, column 37: b is not a column of this table."],
  ["CREATE TABLE t (a INT) CLUSTER BY (b)", "line 1, column 36: b is not a column of this table."],
  ["CREATE TABLE t (a INT NOT NULL NOT NULL)", "line 1, column 32: NOT appears twice."],
  ["CREATE TABLE t (a INT) COMMENT 'x' COMMENT 'y'", "line 1, column 36: COMMENT appears twice."],
  ["CREATE TABLE t (a DECIMAL(39))", "line 1, column 29: expected a precision from 1 to 38 before, found )."],
  ["CREATE TABLE t (a INT,\n  b TEXT)", "line 2, column 5: expected a type, found TEXT."],
  ["CREATE TABLE t (a INT) TBLPROPERTIES ('a' = 'b', 'a' = 'c')", 'line 1, column 38: "a" appears twice.'],
  [
    "CREATE TABLE t (a INT, b INT, c INT, d INT, e INT) CLUSTER BY (a, b, c, d, e)",
    "line 1, column 63: a table can be clustered by at most four columns.",
  ],
  ["MERGE INTO t USING s ON t.a = s.a", "line 1, column 1: MERGE needs ON and at least one WHEN."],
  [
    "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE nonsense",
    "line 1, column 60: unexpected nonsense.",
  ],
  [
    "INSERT INTO t SELECT uper(a) AS a FROM s",
    "line 1, column 22: uper() is not a built-in function. User-defined functions are not allowed, because they can read any table. Did you mean upper?",
  ],
  ["INSERT INTO t SELECT a, FROM s", "line 1, column 23: unexpected comma at the end of a list."],
  ["OPTIMIZE t", "line 1, column 1: OPTIMIZE does not start a supported statement."],
  [
    "SELECT '${x}' AS a",
    "line 1, column 9: Spark would substitute ${…}: in a string, write \\u0024{ instead.",
  ],
  [
    "CREATE CONNECTION c TYPE POSTGRESQL OPTIONS (password 'hunter2')",
    "line 1, column 55: expected secret('scope', 'key'), found 'hunter2'.",
  ],
  [
    "CREATE CONNECTION c TYPE POSTGRESQL OPTIONS (user secret('a'))",
    "line 1, column 57: expected secret('scope', 'key').",
  ],
  [
    "CREATE CONNECTION c TYPE MONGODB OPTIONS (host 'a')",
    "line 1, column 26: expected POSTGRESQL, MYSQL, SQLSERVER, ORACLE, SNOWFLAKE, found MONGODB.",
  ],
  ["CREATE CONNECTION c TYPE MYSQL OPTIONS (host 'a', host 'b')", 'line 1, column 40: "host" appears twice.'],
  ["CREATE VOLUME a.b.c.d", "line 1, column 15: a table name has at most three parts."],
  ["GRANT SELECT ON TABLE t TO u", "line 1, column 7: expected USE, found SELECT."],
  [
    "SELECT * FROM remote_query('c', database => 'd')",
    "line 1, column 27: remote_query needs the option query.",
  ],
  ["SELECT a FROM remote_query('c', query => 'd')", "line 1, column 8: expected *, found a."],
  ["USE x y", "line 1, column 7: expected the end of the statement, found y."],
];

for (const [text, expected] of invalid) {
  test(`invalid: ${text}`, () => assert.equal(statementProblem(sql, text), expected));
}

test("types of columns", () => {
  for (const type of [
    "int",
    "DECIMAL(38, 38)",
    "varchar(10)",
    "array<map<string, struct<a int, `b c`: date>>>",
    "INTERVAL DAY TO SECOND",
    "TIMESTAMP_NTZ",
    "string collate UTF8_LCASE",
  ]) {
    assert.equal(statementProblem(sql, `CREATE TABLE t (c ARRAY<${type}>)`), undefined, type);
  }
  for (const type of [
    "",
    "text",
    "decimal(2, 3)",
    "array<int",
    "int; drop table t",
    "int not null",
    "map<int>",
    "'int'",
  ]) {
    assert.notEqual(statementProblem(sql, `CREATE TABLE t (c ARRAY<${type}>)`), undefined, type);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { readScript } from "./script-reader.ts";
import { shop } from "./testing/shop.ts";

const sql = await loadSqlParser();
const rules = { ...shop, path: "check.sql" };
const problemsOf = (text: string, parameters?: readonly string[]): readonly string[] =>
  (readScript(sql, text, parameters ? { ...rules, parameters } : rules).problems ?? []).map(
    ({ path, line, column, message }) => `${path}:${line}:${column} ${message}`,
  );

test("a script has queries and plain statements in the order of the text", () => {
  const { statements } = readScript(
    sql,
    `-- how many
SELECT count(*), count(*) FROM customers WHERE id > :low AND name LIKE :pattern;
CREATE OR REPLACE TABLE totals AS SELECT customer_id, sum(amount) AS total, :run AS run FROM raw.orders GROUP BY ALL;
UPDATE totals SET total = 0 WHERE customer_id IN (SELECT id FROM customers WHERE name = :pattern);
SELECT * FROM totals, customers`,
    rules,
  );
  assert.deepEqual(
    statements?.map(({ kind, sql: text, reads, parameters, location, ...more }) => ({
      what: kind === "plain" && "verb" in more ? more.verb : kind,
      text,
      reads,
      parameters: parameters.map(({ name, from, to }) => `${name} ${text.slice(from, to)}`),
      line: location.line,
    })),
    [
      {
        what: "query",
        text: "SELECT count(*), count(*) FROM customers WHERE id > :low AND name LIKE :pattern",
        reads: ["shop.sales.customers"],
        parameters: ["low :low", "pattern :pattern"],
        line: 2,
      },
      {
        what: "create_table",
        text: "CREATE OR REPLACE TABLE totals AS SELECT customer_id, sum(amount) AS total, :run AS run FROM raw.orders GROUP BY ALL",
        reads: ["shop.raw.orders"],
        parameters: ["run :run"],
        line: 3,
      },
      {
        what: "update",
        text: "UPDATE totals SET total = 0 WHERE customer_id IN (SELECT id FROM customers WHERE name = :pattern)",
        reads: ["shop.sales.customers"],
        parameters: ["pattern :pattern"],
        line: 4,
      },
      {
        what: "query",
        text: "SELECT * FROM totals, customers",
        reads: ["shop.sales.totals", "shop.sales.customers"],
        parameters: [],
        line: 5,
      },
    ],
  );
});

test("a colon after a value is a path, not a parameter", () => {
  const { statements } = readScript(sql, "SELECT parse_json(name):a.b, name:c, :d FROM customers", rules);
  assert.deepEqual(
    statements?.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    ["d"],
  );
});

test("the select of a statement is the end of its text, parameters included", () => {
  const { statements } = readScript(sql, "INSERT INTO customers VALUES (:id, '${day}')", rules);
  const [insert] = statements ?? [];
  assert.ok(insert?.kind === "plain" && insert.meaning.verb === "insert");
  assert.equal(insert.meaning.select, "VALUES (:id, '2024-01-01')");
  assert.deepEqual(insert.writes, ["shop.sales.customers"]);
});

test("every problem has its location", () => {
  assert.deepEqual(problemsOf("SELECT nme FROM customers;\nDROP TABLE customers;\nSELECT 1 FROM customers"), [
    "check.sql:1:8 nme is not a column of any table here. Did you mean name?",
    "check.sql:3:15 there is no table shop.sales.customers.",
  ]);
  assert.deepEqual(problemsOf("CREATE VIEW v AS SELECT 1 AS a; SHOW TABLES"), [
    "check.sql:1:1 this statement is allowed only in a pipeline: a task runs queries, DDL and DML.",
    "check.sql:1:33 SHOW does not start a supported statement.",
  ]);
  assert.deepEqual(problemsOf("SELECT :low, :hgh", ["low", "high"]), [
    "check.sql:1:14 the parameter :hgh has no value. Did you mean high?",
  ]);
});

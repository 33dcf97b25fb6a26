import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { dataPathsOf } from "./data-paths.ts";

const parser = await loadSqlParser();

function edges(text: string, language: "pipeline" | "script" = "pipeline"): string[] {
  const rules = { catalog: "shop", schema: "sales", configuration: { source: "raw" }, language };
  const { paths, isComplete } = dataPathsOf(parser, [{ path: "a.sql", text }], rules);
  assert.ok(isComplete, text);
  return paths.flatMap(({ table, reads }) => reads.map((read) => `${read} -> ${table}`)).sort();
}

test("each table of a pipeline has what its own queries read", () => {
  assert.deepEqual(
    edges(`
      CREATE MATERIALIZED VIEW clean.orders AS SELECT * FROM raw.orders;
      CREATE MATERIALIZED VIEW clean.customers AS SELECT * FROM raw.customers;
      CREATE VIEW both AS SELECT 1 AS one FROM clean.orders, clean.customers;`),
    [
      "shop.clean.customers -> shop.sales.both",
      "shop.clean.orders -> shop.sales.both",
      "shop.raw.customers -> shop.clean.customers",
      "shop.raw.orders -> shop.clean.orders",
    ],
  );
});

test("names are compared without case and quotes, and get the catalog and schema that hold at their place", () => {
  assert.deepEqual(
    edges(
      "USE SCHEMA other; CREATE MATERIALIZED VIEW `Shop`.Sales.`T` AS SELECT a FROM X JOIN `SHOP`.`Raw`.`Y` USING (a) JOIN ${source}.z USING (a)",
    ),
    ["shop.other.x -> shop.sales.t", "shop.raw.y -> shop.sales.t", "shop.raw.z -> shop.sales.t"],
  );
});

test("a CTE hides a table of its name, except in its own text", () => {
  assert.deepEqual(
    edges(`CREATE MATERIALIZED VIEW t AS
      WITH orders AS (SELECT * FROM raw.orders), b AS (SELECT * FROM b) SELECT * FROM orders JOIN b USING (id)`),
    ["shop.raw.orders -> shop.sales.t", "shop.sales.b -> shop.sales.t"],
  );
});

test("views that others cannot see are replaced by what they read, also through each other", () => {
  assert.deepEqual(
    edges(`
      CREATE TEMPORARY VIEW a AS SELECT * FROM raw.x;
      CREATE TEMPORARY VIEW b AS SELECT * FROM a JOIN raw.y USING (id);
      CREATE MATERIALIZED VIEW t AS SELECT * FROM b;
      CREATE MATERIALIZED VIEW u AS SELECT * FROM a;`),
    ["shop.raw.x -> shop.sales.t", "shop.raw.x -> shop.sales.u", "shop.raw.y -> shop.sales.t"],
  );
});

test("a streaming table has the sources of all its flows, and those of AUTO CDC", () => {
  assert.deepEqual(
    edges(`
      CREATE STREAMING TABLE s AS SELECT * FROM STREAM(raw.a);
      CREATE FLOW more AS INSERT INTO s BY NAME SELECT * FROM STREAM raw.b;
      CREATE STREAMING TABLE c;
      CREATE FLOW changes AS AUTO CDC INTO c FROM STREAM(s) KEYS (id) SEQUENCE BY at;`),
    ["shop.raw.a -> shop.sales.s", "shop.raw.b -> shop.sales.s", "shop.sales.s -> shop.sales.c"],
  );
});

test("each statement of a task has its own reads; a table does not come from itself", () => {
  assert.deepEqual(
    edges(
      `CREATE OR REPLACE TABLE a AS SELECT * FROM a JOIN raw.x USING (id);
       INSERT INTO b SELECT * FROM raw.y WHERE id IN (SELECT id FROM raw.z);
       INSERT INTO b VALUES (1);
       MERGE INTO c USING raw.m ON c.id = m.id WHEN MATCHED THEN UPDATE SET *;
       UPDATE d SET v = (SELECT max(v) FROM raw.u);
       COMMENT ON TABLE raw.x IS 'x';
       SELECT count(*) FROM raw.q WHERE day = :day`,
      "script",
    ),
    [
      "shop.raw.m -> shop.sales.c",
      "shop.raw.q -> null",
      "shop.raw.u -> shop.sales.d",
      "shop.raw.x -> shop.sales.a",
      "shop.raw.y -> shop.sales.b",
      "shop.raw.z -> shop.sales.b",
    ],
  );
});

test("text that cannot be read is said, and the rest is known", () => {
  const text = "CREATE VIEW a AS SELECT FROM WHERE; CREATE VIEW b AS SELECT * FROM raw.x";
  const rules = { catalog: "shop", schema: "sales", configuration: {}, language: "pipeline" as const };
  const { paths, isComplete } = dataPathsOf(parser, [{ path: "a.sql", text }], rules);
  assert.equal(isComplete, false);
  assert.deepEqual(paths.at(-1), { table: "shop.sales.b", reads: ["shop.raw.x"] });
});

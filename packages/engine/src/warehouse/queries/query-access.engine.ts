import assert from "node:assert/strict";
import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { DataProblem } from "../../protocol/problem.ts";
import { openShop, type TestShop } from "../testing/shop.ts";

const folder = await mkdtemp(join(tmpdir(), "lakehelm-hostile-"));
const file = join(folder, "secret.csv");
let shop: TestShop;
before(async () => {
  shop = await openShop();
  await writeFile(file, "word\nhush\n");
});
after(async () => {
  await shop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Forbidden statements and their errors. Each is run in DuckDB's dialect, because the translation rejects some of them. */
const attempts: readonly (readonly [string, RegExp])[] = [
  ["INSERT INTO orders VALUES (4, 'eve', 1, NULL)", /^Line 1, column 1: INSERT is not a query/],
  ["UPDATE orders SET amount = 0", /^Line 1, column 1: UPDATE is not a query/],
  ["DELETE FROM orders", /DELETE is not a query/],
  ["DROP TABLE orders", /DROP is not a query/],
  ["CREATE TABLE t AS SELECT 1", /CREATE is not a query/],
  ["CREATE TEMP MACRO f() AS 1", /CREATE is not a query/],
  ["/* SELECT */ -- SELECT\n  DROP TABLE orders", /^Line 2, column 3: DROP is not a query/],
  ["SELECT 1; DROP TABLE orders", /only one SELECT/i],
  ["SELECT 1; SELECT 2", /one statement/],
  ["SELECT 1 -- ;\n; DROP TABLE orders --", /only one SELECT/i],
  ["WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone", /CTE needs a SELECT/],
  ["WITH x AS (SELECT 1) INSERT INTO orders SELECT 4, 'eve', 1, NULL FROM x", /only one SELECT/i],
  [`COPY orders TO '${file}'`, /COPY is not a query/],
  [`COPY (SELECT 1) TO '${file}'`, /COPY is not a query/],
  [`EXPORT DATABASE '${folder}'`, /EXPORT is not a query/],
  [`ATTACH '${file}' AS x`, /ATTACH is not a query/],
  ["DETACH shop", /DETACH is not a query/],
  ["SET enable_external_access = true", /SET is not a query/],
  ["RESET lock_configuration", /RESET is not a query/],
  ["PRAGMA database_list", /PRAGMA is not a query/],
  ["CALL pragma_database_list()", /CALL is not a query/],
  ["USE shop", /USE is not a query/],
  ["INSTALL httpfs", /INSTALL is not a query/],
  ["LOAD httpfs", /LOAD is not a query/],
  ["CHECKPOINT shop", /CHECKPOINT is not a query/],
  ["BEGIN", /BEGIN is not a query/],
  ["PREPARE v AS SELECT 1", /PREPARE is not a query/],
  ["EXPLAIN ANALYZE SELECT 1", /EXPLAIN is not a query/],
  [`SELECT * FROM '${file}'`, /^Line 1, column 15: there is no table/],
  [`SELECT * FROM "${file}"`, /^Line 1, column 15: there is no table/],
  [`FROM '${file}'`, /there is no table/],
  [`SELECT * FROM read_csv('${file}')`, /read_csv\(\) cannot be used/],
  [`SELECT * FROM main.read_csv('${file}')`, /read_csv\(\) cannot be used/],
  [`SELECT * FROM system.main.READ_TEXT('${file}')`, /read_text\(\) cannot be used/],
  [`SELECT id FROM orders WHERE EXISTS (SELECT * FROM read_blob('${file}'))`, /read_blob\(\) cannot/],
  [`SELECT * FROM orders LIMIT (SELECT count(*) FROM read_text('${file}'))`, /read_text\(\) cannot/],
  [`WITH x AS (SELECT * FROM glob('${folder}/*')) SELECT * FROM x`, /glob\(\) cannot/],
  [`SELECT (SELECT content FROM read_text('${file}')) AS c FROM orders`, /read_text\(\) cannot/],
  [`SELECT * FROM parquet_scan('${file}')`, /parquet_scan\(\) cannot/],
  [`SELECT * FROM sniff_csv('${file}')`, /sniff_csv\(\) cannot/],
  [`SELECT * FROM query('SELECT * FROM read_text(''${file}'')')`, /query\(\) cannot/],
  ["SELECT * FROM query_table('shop._lakehelm.versions')", /query_table\(\) cannot/],
  ["SELECT * FROM json_execute_serialized_sql('{}')", /json_execute_serialized_sql\(\) cannot/],
  ["SELECT * FROM duckdb_settings()", /duckdb_settings\(\) cannot/],
  ["SELECT * FROM duckdb_secrets()", /duckdb_secrets\(\) cannot/],
  ["SELECT * FROM pragma_database_list()", /pragma_database_list\(\) cannot/],
  ["SELECT current_setting('temp_directory')", /current_setting\(\) cannot/],
  ["SELECT write_log('x')", /write_log\(\) cannot/],
  ["SELECT nextval('s')", /nextval\(\) cannot/],
  ["SELECT * FROM duckdb_tables", /there is no table "shop.sales.duckdb_tables"/],
  ["SELECT * FROM pg_catalog.pg_class", /there is no table/],
  ["SELECT * FROM information_schema.tables", /there is no table/],
  ["SELECT * FROM sqlite_master", /there is no table/],
  ["SELECT * FROM _lakehelm.versions", /there is no table "shop._lakehelm.versions"/],
  ['SELECT * FROM "SHOP"."_LAKEHELM"."VERSIONS"', /there is no table/],
  ["SELECT * FROM _lock.main.x", /there is no table/],
  ["SELECT * FROM (SHOW ALL TABLES)", /only contain tables, views and queries/i],
  ["SELECT * FROM (DESCRIBE orders)", /only contain tables, views and queries/i],
  ["SELECT * FROM feed()", /feed\(\) cannot/],
  ["SELECT ?", /parameters are not supported here/i],
  ["SELECT $secret", /parameters are not supported here/i],
];

for (const [text, refusal] of attempts) {
  test(`forbidden: ${text.replaceAll(folder, "…")}`, async () => {
    assert.match(await shop.errorMessage(text, { dialect: "duckdb" }), refusal);
    // In the Databricks dialect the message may differ, but the statement never runs.
    await assert.rejects(shop.query(text, { dialect: "databricks" }), DataProblem);
  });
}

test("the forbidden statements have changed neither tables nor files", async () => {
  assert.equal((await shop.query("SELECT count(*) FROM orders", { format: "count" })).value, 3);
  assert.deepEqual(await readdir(folder), ["secret.csv"]);
  await access(join(shop.warehouse.folder, "shop.duckdb"));
});

test("a random text returns rows or a DataProblem", async () => {
  const words =
    "SELECT FROM WHERE WITH AS ( ) , * ; ' \" ` -- /* */ orders id amount 1 'x' x'41' DROP TABLE UNION ALL JOIN ON " +
    "GROUP BY read_text /etc/passwd $1 ? :: [ ] { } -> 😀 \\ \u0000 count(*) OVER LIMIT -1 NULL shop sales _lakehelm . = CAST";
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 12 }),
      fc.constantFrom("databricks" as const, "duckdb" as const),
      async (parts, dialect) => {
        const outcome = await shop.query(`SELECT ${parts.join(" ")}`, { dialect }).catch((error) => error);
        if (outcome instanceof Error) assert.ok(outcome instanceof DataProblem, String(outcome.stack));
      },
    ),
    { numRuns: 150, seed: 5 },
  );
});

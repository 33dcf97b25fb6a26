/**
 * Runs notebooks that read through a Unity Catalog connection, which only Databricks has: a JDBC read of the same query
 * replaces `remote_query` here. The queries, and all code after them, are generated.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { ingestionOf } from "./ingestion-requests.ts";
import { type EmptyDatabase, emptyDatabase } from "./postgres.ts";
import { type SparkEngine, startSpark } from "./spark-engine.ts";

describe("ingestion through a connection, with JDBC in the place of remote_query", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.bronze");
  });

  function notebookOf(
    { host, port, database, user, password }: EmptyDatabase,
    table: object,
    more: object = {},
  ): string {
    const config = { host, port, database, user, password: "never used", ...more };
    const tables = [{ source_dataset: "orders", target_name: "orders", ...table }];
    const notebook = ingestionOf("postgresql", config, tables, { runtime: "databricks" });
    const options = JSON.stringify({
      ...{ url: `jdbc:postgresql://${host}:${port}/${database}`, driver: "org.postgresql.Driver" },
      ...{ user, password: password || "postgres" },
    });
    const remote = /return spark\.sql\(\s*f"SELECT \* FROM remote_query\([\s\S]*?"\s*\)/;
    assert.match(notebook, remote);
    const jdbc = `print("asked:", query)\n    return spark.read.format("jdbc").options(**${options}, dbtable=f"({query}) answer").load()`;
    return notebook.replace(remote, () => jdbc);
  }
  const ids = () => engine.sql("SELECT id FROM main.bronze.orders ORDER BY id");

  it("asks for the rows from the watermark on and for no personal column, and finds late rows", async (t) => {
    const database = await emptyDatabase(t);
    await database.query(
      `CREATE TABLE orders (id int, "it's ""odd"" \\ $1" text, email text, "At" timestamptz)`,
    );
    await database.query(
      "INSERT INTO orders VALUES (1, 'a', 'x', '2026-01-01Z'), (2, 'b', 'y', '2026-03-01 10:00:00.000001Z'), (3, 'c', 'z', NULL)",
    );
    const table = { primary_keys: ["id"], watermark_column: "at", pii_suppressed: true };
    const notebook = notebookOf(database, table, { pii_columns: ["EMAIL"] });
    const first = await engine.completes(notebook);
    assert.match(first.output, /3 inserted, 0 updated, mark None -> 2026-03-01 10:00:00.000001/);
    assert.match(first.output, /asked: SELECT "id", "it's ""odd"" \\ \$1", "At" FROM "orders"\n/);
    await database.query("INSERT INTO orders VALUES (4, 'late', 'x', '2026-03-01 10:00:00.000001Z')");
    await database.query("UPDATE orders SET email = 'unseen'");
    const second = await engine.completes(notebook);
    assert.match(second.output, /1 inserted, 0 updated\n/);
    assert.match(second.output, /WHERE \("At" >= TIMESTAMP '2026-02-28 10:00:00' OR "At" IS NULL\)\n/);
    const columns = (await engine.sql("DESCRIBE main.bronze.orders")).map(({ col_name }) => col_name);
    assert.deepEqual(columns, ["id", `it's "odd" \\ $1`, "At"]);
    assert.equal((await ids()).length, 4);
  });

  it("reads numbers exactly from the watermark on", async (t) => {
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int, at numeric(20,3))");
    await database.query("INSERT INTO orders VALUES (1, 9.5), (2, -3)");
    const notebook = notebookOf(database, { watermark_column: "at" });
    await engine.completes(notebook);
    await database.query("INSERT INTO orders VALUES (3, 9.499), (4, 10), (5, 9.5)");
    const { output } = await engine.completes(notebook);
    assert.match(output, /WHERE \("at" >= 9\.500 OR "at" IS NULL\)/);
    assert.match(output, /2 inserted/);
  });

  for (const [what, column, bounds, options] of [
    ["a number", "id", undefined, onlyNightly],
    ["a time", "at", undefined, {}],
    ["a date", "day", undefined, onlyNightly],
    ["bounds of the request", "id", [3, 6], {}],
    ["days of the request", "day", ["2026-01-03", "2026-01-05"], onlyNightly],
  ] as const) {
    it(`reads a table in parts by ${what}, and every row once`, options, async (t) => {
      const database = await emptyDatabase(t);
      await database.query("CREATE TABLE orders (id bigint, at timestamp, day date)");
      const config = {
        ...{ partition_columns: { orders: column }, num_partitions: 3 },
        ...(bounds && { partition_bounds: { orders: bounds } }),
      };
      const notebook = notebookOf(database, { write_strategy: "replace" }, config);
      assert.match((await engine.completes(notebook)).output, /0 rows replaced/);
      await database.query(
        "INSERT INTO orders SELECT n, '2026-01-01'::timestamp + n * interval '7 hours', '2026-01-01'::date + n FROM generate_series(1, 9) n",
      );
      await database.query("INSERT INTO orders VALUES (10, NULL, NULL)");
      const { output } = await engine.completes(notebook);
      assert.match(output, /10 rows replaced/);
      assert.equal(output.match(/asked: SELECT "id", .* WHERE /g)?.length, 3, output);
      assert.deepEqual(
        await ids(),
        Array.from({ length: 10 }, (_, at) => ({ id: at + 1 })),
      );
    });
  }

  it("passes any text to Spark as a literal", async (t) => {
    const database = await emptyDatabase(t);
    await database.query("CREATE TABLE orders (id int)");
    const texts = ["it's", "\\", "\\'", "${env:HOME}", "a\nb\t\u2028", '"`--/*;', "\u{1f600}"];
    const check = `\nfor text in ${JSON.stringify(texts)}:\n    assert spark.sql(f"SELECT {literal(text)} AS x").first()[0] == text, text\nprint("all texts")\n`;
    const notebook = notebookOf(database, { write_strategy: "replace" });
    assert.match((await engine.completes(notebook + check)).output, /all texts/);
  });
});

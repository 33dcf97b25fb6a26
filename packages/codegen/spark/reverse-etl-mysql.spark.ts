import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import { emptyMysql, type MysqlDatabase, mysqlSecrets, syncToMysql } from "./mysql.ts";
import { type RunOptions, type SparkEngine, startSpark } from "./spark-engine.ts";

const byKey = { primary_keys: ["ID"], watermark_column: "updated_at" };
const byWatermark = { target_name: "log", watermark_column: "updated_at" };
const ends: (() => Promise<void>)[] = [];
const mysql = await startMysql({ after: (end) => void ends.push(end) });
after(async () => {
  for (const end of ends) await end();
});

describe("reverse ETL to MySQL", {
  skip: mysql === undefined && "neither mariadbd nor mysqld is installed",
}, () => {
  const server = mysql as TestMysql;
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"], timeZone: "America/New_York" });
  });
  after(() => engine?.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.gold");
  });

  const customers = () =>
    engine.sql("CREATE TABLE main.gold.customers (id BIGINT, name STRING, updated_at TIMESTAMP) USING DELTA");
  const add = (...rows: readonly string[]) =>
    engine.sql(`INSERT INTO main.gold.customers VALUES ${rows.map((row) => `(${row})`).join(", ")}`);
  const at = (second: string) => `TIMESTAMP '2026-01-01 00:00:${second}Z'`;
  const run = (notebook: string, parameters: RunOptions["parameters"] = {}) =>
    engine.completes(notebook, { secrets: mysqlSecrets(server), parameters });
  const names = async (database: MysqlDatabase, table = "customers") =>
    (await database.query(`SELECT id, name FROM ${table} ORDER BY id, name`)).map((row) => row.join(" "));
  const reasons = async (database: MysqlDatabase) =>
    (await database.query("SELECT reason FROM customers_rejects ORDER BY reason")).map(([one]) => one);

  it("creates the target, sends new rows by key, and finds late rows at the watermark", async (t) => {
    const database = await emptyMysql(t, server);
    await customers();
    await add(`1, 'one', ${at("01")}`, `2, 'two', ${at("02.000002")}`, "3, 'no mark', NULL");
    const notebook = syncToMysql(database, [byKey]);
    assert.match(
      (await run(notebook)).output,
      /3 read, 3 written, 0 rejected, mark None -> 2026-01-01 00:00:02/,
    );
    assert.match((await run(notebook)).output, /2 read, 0 written, 0 rejected/);
    await add(
      `4, 'late, at the mark', ${at("02.000002")}`,
      `2, 'TWO', ${at("03")}`,
      `1, 'too late', ${at("00")}`,
    );
    assert.match((await run(notebook)).output, /-> 2026-01-01 00:00:03/);
    assert.deepEqual(await names(database), ["1 one", "2 TWO", "3 no mark", "4 late, at the mark"]);
    assert.deepEqual(await database.query("SELECT updated_at FROM customers WHERE id = 4"), [
      ["2026-01-01 00:00:02.000002"],
    ]);
  });

  it("a run takes a window, a full refresh, and rows that were refused", async (t) => {
    const database = await emptyMysql(t, server);
    await customers();
    await database.query(
      "CREATE TABLE customers (id bigint PRIMARY KEY, name varchar(5) COLLATE utf8mb4_bin, updated_at datetime(6))",
    );
    await add(
      `1, 'one', ${at("01")}`,
      `2, 'too long', ${at("02")}`,
      `3, 'three', ${at("03")}`,
      "NULL, 'no', NULL",
    );
    const notebook = syncToMysql(database, [byKey, byWatermark]);
    const keyed = (parameters: Record<string, string>) =>
      run(notebook, { datasets: '["customers"]', ...parameters });
    assert.match((await run(notebook)).output, /customers: 4 read, 2 written, 2 rejected/);
    assert.equal((await reasons(database)).length, 2);

    await database.query("UPDATE customers SET name = 'x'");
    await add(`4, 'four', ${at("04")}`, `1, 'newer', ${at("04")}`);
    const window = JSON.stringify({ from: "2026-01-01T00:00:01Z", to: "2026-01-01 00:00:04" });
    assert.match(
      (await keyed({ window })).output,
      /2 read, 1 written, 1 rejected, mark 2026-01-01 00:00:03 -> 2026-01-01 00:00:03/,
    );
    assert.deepEqual(await names(database), ["1 x", "3 three"]);

    await database.query("ALTER TABLE customers MODIFY name varchar(50) COLLATE utf8mb4_bin");
    assert.match((await keyed({ retry_rejects: "true" })).output, /5 read, 3 written, 1 rejected/);
    assert.deepEqual(await names(database), ["1 newer", "2 too long", "3 three", "4 four"]);
    assert.deepEqual(await reasons(database), ["A key column is NULL."]);

    await database.query("INSERT INTO customers VALUES (9, 'gone', NULL)");
    await database.query("UPDATE customers SET name = 'x' WHERE id = 3");
    assert.match((await keyed({ reset_watermark: "true" })).output, /5 read, 1 written, 1 rejected/);
    assert.deepEqual((await names(database)).at(-1), "9 gone");
    await database.query("INSERT INTO log VALUES (9, 'gone', NULL)");
    assert.match(
      (await run(notebook, { full_refresh: "true" })).output,
      /customers: 5 read, 0 written[\s\S]*log: 6 read, 6 written/,
    );
    assert.deepEqual([(await names(database)).length, (await names(database, "log")).length], [4, 6]);
    assert.match((await run(notebook)).output, /log: 3 read, 0 written/);

    await engine.sql("DELETE FROM main.gold.customers WHERE id > 1");
    const lost = await engine.runNotebook(notebook, {
      secrets: mysqlSecrets(server),
      parameters: { full_refresh: "true" },
    });
    assert.match(lost.error?.message ?? "", /customers: it would delete 3 of 4 rows, more than half/);
    assert.equal((await names(database)).length, 4);
  });

  it("appends each row once, and replaces all rows in one transaction", async (t) => {
    const database = await emptyMysql(t, server);
    await customers();
    await add(`1, 'a', ${at("01")}`, `1, 'a', ${at("01")}`, "2, 'b', NULL", `9, 'old', ${at("00")}`);
    const notebook = syncToMysql(database, [
      byWatermark,
      { target_name: "everything", write_strategy: "replace" },
    ]);
    await run(notebook);
    await run(notebook);
    await add(`1, 'a', ${at("01")}`, `3, 'c', ${at("02")}`);
    await engine.sql("DELETE FROM main.gold.customers WHERE id = 9");
    await run(notebook);
    assert.deepEqual(await names(database, "log"), ["1 a", "1 a", "1 a", "2 b", "3 c", "9 old"]);
    assert.deepEqual(await names(database, "everything"), ["1 a", "1 a", "1 a", "2 b", "3 c"]);
  });

  it("keeps every value exactly", async (t) => {
    const database = await emptyMysql(t, server);
    await engine.sql(`CREATE TABLE main.gold.customers USING DELTA AS SELECT
      9007199254740993 AS id, CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS amount,
      TIMESTAMP '2026-03-29 02:30:00.123456Z' AS at, DATE '1999-12-31' AS day, X'00ff27' AS raw, true AS ok,
      array(1, NULL) AS list, named_struct('none', CAST(NULL AS STRING), 'a', 1) AS doc, CAST(0.1 AS DOUBLE) AS number,
      concat('tab\\t line\\n \\\\ "q" %s é ', decode(unhex('F09F9880'), 'UTF-8')) AS text, '' AS empty, CAST(NULL AS STRING) AS nothing`);
    const notebook = syncToMysql(database, [{ primary_keys: ["id"] }]);
    assert.match((await run(notebook)).output, /1 read, 1 written, 0 rejected/);
    assert.match((await run(notebook)).output, /1 read, 0 written/);
    const [row] = await database.query(
      "SELECT CAST(id AS CHAR), CAST(amount AS CHAR), CAST(at AS CHAR), CAST(day AS CHAR), HEX(raw), ok, CAST(list AS CHAR), CAST(doc AS CHAR), number, text, empty, nothing FROM customers",
    );
    assert.deepEqual(
      row?.map((value) => (typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value)),
      [
        ...["9007199254740993", "1234567890123456789012345678.0123456789", "2026-03-29 02:30:00.123456"],
        ...["1999-12-31", "00FF27", 1, [1, null], { none: null, a: 1 }, 0.1],
        ...['tab\t line\n \\ "q" %s é 😀', "", null],
      ],
    );
  });
});

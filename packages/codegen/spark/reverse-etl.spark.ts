import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { startMysql, type TestMysql } from "@lakehelm/testing";
import { isNightly, onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { asDatabricks, leaveDatabricks } from "./databricks.ts";
import { emptyMysql, mysqlSecrets, syncToMysql } from "./mysql.ts";
import { emptyDatabase } from "./postgres.ts";
import { secrets, syncToPostgres } from "./reverse-etl-requests.ts";
import { at, byKey, byWatermark, names, reasons, source, testTarget } from "./reverse-etl-scenarios.ts";
import { crashPoints, type RunOptions, type SparkEngine, startSpark } from "./spark-engine.ts";

const ends: (() => Promise<void>)[] = [];
const mysql = isNightly ? await startMysql({ after: (end) => void ends.push(end) }) : undefined;
const withoutMysql = isNightly ? "neither mariadbd nor mysqld is installed" : onlyNightly.skip;
let engine: SparkEngine;
before(async () => {
  engine = await startSpark({ catalogs: ["main"], timeZone: "America/New_York" });
});
after(async () => {
  await engine.stop();
  for (const end of ends) await end();
});
beforeEach(async () => {
  await engine.clear();
  await engine.sql("CREATE SCHEMA main.gold");
});
const { customers, add } = source(() => engine);

describe("reverse ETL to PostgreSQL", () => {
  const run = (notebook: string, options: RunOptions = {}) =>
    engine.completes(notebook, { secrets, ...options });

  testTarget(() => engine, {
    empty: async (t) => {
      const database = await emptyDatabase(t);
      return { ...database, notebook: (tables) => syncToPostgres(database, tables) };
    },
    secrets,
    timestamp: "timestamptz",
    widen: (table) => `ALTER TABLE ${table} ALTER name TYPE text`,
  });

  it("writes nothing in a dry run, and needs no secrets for it", async (t) => {
    const database = await emptyDatabase(t);
    await customers();
    await add(`1, 'one', ${at("01")}`, `2, 'two', ${at("02")}`);
    const notebook = syncToPostgres(database, [byKey]);
    const parameters = { mode: "dry_run" };
    for (const on of ["spark", "databricks"] as const) {
      const { output, effects } = await engine.completes(notebook, { on, parameters });
      assert.match(output, /customers: dry run, 2 rows with 3 columns, nothing sent/);
      assert.deepEqual(effects, []);
    }
    assert.deepEqual(await database.query("SELECT to_regclass('customers') AS made"), [{ made: null }]);
    const { error } = await engine.runNotebook(notebook, { secrets, parameters: { mode: "test" } });
    assert.match(error?.message ?? "", /mode is test; expected send or dry_run/);
  });

  it("leaves out the columns that have the tag pii when it runs on Databricks", async (t) => {
    const database = await emptyDatabase(t);
    await customers();
    await add(`1, 'one', ${at("01")}`);
    // Open-source Spark has no tags: a table with the columns of Unity Catalog's view replaces them here.
    await engine.sql("CREATE SCHEMA main.information_schema");
    const tags = "main.information_schema.column_tags";
    await engine.sql(
      `CREATE TABLE ${tags} (schema_name STRING, table_name STRING, column_name STRING, tag_name STRING, tag_value STRING) USING DELTA`,
    );
    await engine.sql(
      `INSERT INTO ${tags} VALUES ('gold', 'customers', 'updated_at', 'pii', 'FALSE'), ('gold', 'orders', 'id', 'pii', '')`,
    );
    const notebook = syncToPostgres(database, [{ primary_keys: ["id"], pii_suppressed: true }]);
    const tagged = asDatabricks(notebook);
    t.after(() => engine.completes(leaveDatabricks));

    const { error } = await engine.runNotebook(tagged, { secrets, on: "databricks" });
    assert.match(error?.message ?? "", /main\.gold\.customers has no columns that are known to be personal/);
    await engine.sql(`INSERT INTO ${tags} VALUES ('gold', 'customers', 'name', 'pii', NULL)`);
    await run(tagged, { on: "databricks" });
    assert.deepEqual(Object.keys((await database.query("SELECT * FROM customers"))[0] ?? {}).sort(), [
      "id",
      "updated_at",
    ]);
  });

  it("keeps values exact, for any column name", async (t) => {
    const database = await emptyDatabase(t);
    await engine.sql(
      `CREATE TABLE main.gold.odd (id BIGINT, \`a "b'; %s\` DECIMAL(38,10), tiny DECIMAL(20,18), at TIMESTAMP,
       local TIMESTAMP_NTZ, day DATE, raw BINARY, ok BOOLEAN, list ARRAY<INT>, doc STRUCT<at: TIMESTAMP, none: INT>,
       tags MAP<STRING, DECIMAL(5,2)>, single FLOAT, number DOUBLE, text STRING, empty STRING, nothing STRING)
       USING DELTA TBLPROPERTIES ('delta.columnMapping.mode' = 'name')`,
    );
    await engine.sql(
      `INSERT INTO main.gold.odd VALUES (9007199254740993, 1234567890123456789012345678.0123456789, 0,
       TIMESTAMP '2026-03-29 02:30:00.123456Z', TIMESTAMP_NTZ '2026-03-29 02:30:00.000001', DATE '0001-01-01',
       X'00FF27', true, array(1, NULL), named_struct('at', TIMESTAMP '2026-01-01 00:00:00.000001Z', 'none', NULL),
       map('k', 1.50), float(0.1), double('-Infinity'), 'tab\\t line\\n \\\\N \\\\. "q" \\'s\\' é 😀', '', NULL)`,
    );
    const notebook = syncToPostgres(database, [
      { source_dataset: "odd", target_name: `"odd "" 'n'ame"`, primary_keys: ["id"] },
    ]);
    await run(notebook);
    assert.match((await run(notebook)).output, /1 read, 0 written/);
    const [row] = await database.query(
      `SELECT id::text, "a ""b'; %s"::text AS amount, tiny::text, at AT TIME ZONE 'UTC' = '2026-03-29 02:30:00.123456' AS at,
       local = '2026-03-29 02:30:00.000001' AS local, day::text, encode(raw, 'hex') AS raw, ok, list, doc, tags::text,
       single::text, number::text, text, empty, nothing FROM "odd "" 'n'ame"`,
    );
    assert.deepEqual(row, {
      ...{
        id: "9007199254740993",
        amount: "1234567890123456789012345678.0123456789",
        tiny: "0.000000000000000000",
      },
      ...{ at: true, local: true, day: "0001-01-01", raw: "00ff27", ok: true, list: [1, null] },
      ...{ doc: { at: "2026-01-01T00:00:00.000001Z", none: null }, tags: '{"k": 1.50}' },
      ...{
        single: "0.1",
        number: "-Infinity",
        text: "tab\t line\n \\N \\. \"q\" 's' é 😀",
        empty: "",
        nothing: null,
      },
    });
  });

  it("keeps each refused row once with its reason, and continues with the others", onlyNightly, async (t) => {
    const database = await emptyDatabase(t);
    await database.query(
      "CREATE TABLE customers (id int PRIMARY KEY, name varchar(5) CHECK (name <> 'bad'), more text DEFAULT 'kept')",
    );
    await engine.sql("CREATE TABLE main.gold.customers (id BIGINT, name STRING, born DATE) USING DELTA");
    await add(
      "1, 'fine', NULL",
      "2, 'too long', NULL",
      "3, 'bad', NULL",
      "NULL, 'none', NULL",
      "4, 'n\\u0000l', NULL",
    );
    await add(
      "5, 'twin', NULL",
      "5, 'nwit', NULL",
      "3000000000, 'large', NULL",
      "6, 'six', NULL",
      "6, 'six', NULL",
    );
    const notebook = syncToPostgres(database, [{ primary_keys: ["id"] }], { batch_size: 4 });
    assert.match((await run(notebook)).output, /9 read, 2 written, 7 rejected/);
    assert.match((await run(notebook)).output, /9 read, 0 written, 7 rejected/);
    assert.deepEqual(await names(database), ["1 fine", "6 six"]);
    assert.deepEqual(await database.query("SELECT DISTINCT more, born FROM customers"), [
      { more: "kept", born: null },
    ]);
    const found = await reasons(database);
    assert.equal(found.length, 7);
    assert.equal(found.filter((reason) => reason === "Several different rows have this key.").length, 2);
    for (const expected of [
      /key column is NULL/,
      /NUL \(0x00\)/,
      /out of range/,
      /too long/,
      /check constraint/,
    ]) {
      assert.equal(found.filter((reason) => expected.test(String(reason))).length, 1, String(expected));
    }

    const strict = syncToPostgres(database, [{ primary_keys: ["id"], target_name: "strict" }], {
      max_reject_share: 0.1,
    });
    const failed = await engine.runNotebook(strict, { secrets });
    assert.match(failed.error?.message ?? "", /strict: 4 of 9 rows were refused/);
    assert.deepEqual(await names(database, "strict"), []);
    assert.deepEqual(await reasons(database, "strict"), []);
  });

  it(
    "adds new columns, refuses types that do not fit, and continues with the other tables",
    onlyNightly,
    async (t) => {
      const database = await emptyDatabase(t);
      await customers();
      await add(`1, 'one', ${at("01")}`);
      await database.query('CREATE TABLE "Other" ("ID" bigint PRIMARY KEY, name text, updated_at int)');
      await database.query("CREATE TABLE unkeyed (id bigint, name text, updated_at timestamptz)");
      const notebook = syncToPostgres(database, [
        { ...byKey, target_name: '"Other"' },
        { ...byKey, target_name: "unkeyed" },
        { ...byKey, primary_keys: ["nope"], target_name: "missing" },
        byKey,
      ]);
      const { error } = await engine.runNotebook(notebook, { secrets });
      assert.match(error?.message ?? "", /^3 of 4 tables failed/);
      assert.match(
        error?.message ?? "",
        /Other: Column updated_at is timestamp in the lakehouse, but integer in the target/,
      );
      assert.match(error?.message ?? "", /unkeyed: there is no unique or exclusion constraint/);
      assert.match(error?.message ?? "", /missing: main.gold.customers has no column nope/);

      await engine.sql("ALTER TABLE main.gold.customers ADD COLUMN score DECIMAL(5,2)");
      await engine.sql(`INSERT INTO main.gold.customers VALUES (2, 'two', ${at("02")}, 1.50)`);
      await engine.runNotebook(notebook, { secrets });
      assert.deepEqual(await database.query("SELECT id::int, score::text FROM customers ORDER BY id"), [
        { id: 1, score: null },
        { id: 2, score: "1.50" },
      ]);
    },
  );

  it("a crash leaves all or nothing", async (t) => {
    const tables = [byKey, byWatermark];
    const whole = async (options: RunOptions = {}) => {
      await engine.clear();
      await engine.sql("CREATE SCHEMA main.gold");
      await customers();
      await add(`1, 'one', ${at("01")}`, `2, 'two', ${at("02")}`, "NULL, 'no key', NULL");
      const database = await emptyDatabase(t);
      const notebook = syncToPostgres(database, tables, { max_reject_share: 1 });
      const first = await engine.runNotebook(notebook, { secrets, ...options });
      assert.equal(first.crashed, options.crashAt !== undefined, first.output);
      await add(`3, 'late', ${at("02")}`, `4, 'new', ${at("03")}`);
      await run(notebook);
      const where = JSON.stringify(options.crashAt);
      const keyed = ["1 one", "2 two", "3 late", "4 new"];
      assert.deepEqual(await names(database), keyed, where);
      assert.deepEqual(await reasons(database), ["A key column is NULL."], where);
      assert.deepEqual(await names(database, "log"), [...keyed, "null no key"], where);
      return first;
    };
    const points = crashPoints(await whole()).filter(({ when }) => when === "before");
    assert.equal(points.length, 6, "three commits for each table: creation, rows, the end");
    for (const crashAt of someOf(points, 1)) await whole({ crashAt });
  });
});

describe("reverse ETL to MySQL", { skip: mysql === undefined && withoutMysql }, () => {
  const server = mysql as TestMysql;

  testTarget(() => engine, {
    empty: async (t) => {
      const database = await emptyMysql(t, server);
      return { ...database, notebook: (tables) => syncToMysql(database, tables) };
    },
    secrets: mysqlSecrets(server),
    timestamp: "datetime(6)",
    widen: (table) => `ALTER TABLE ${table} MODIFY name varchar(50) COLLATE utf8mb4_bin`,
  });

  it("keeps every value exactly", async (t) => {
    const database = await emptyMysql(t, server);
    await engine.sql(`CREATE TABLE main.gold.customers USING DELTA AS SELECT
      9007199254740993 AS id, CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)) AS amount,
      TIMESTAMP '2026-03-29 02:30:00.123456Z' AS at, DATE '1999-12-31' AS day, X'00ff27' AS raw, true AS ok,
      array(1, NULL) AS list, named_struct('none', CAST(NULL AS STRING), 'a', 1) AS doc, CAST(0.1 AS DOUBLE) AS number,
      concat('tab\\t line\\n \\\\ "q" %s é ', decode(unhex('F09F9880'), 'UTF-8')) AS text, '' AS empty, CAST(NULL AS STRING) AS nothing`);
    const notebook = syncToMysql(database, [{ primary_keys: ["id"] }]);
    const run = () => engine.completes(notebook, { secrets: mysqlSecrets(server) });
    assert.match((await run()).output, /1 read, 1 written, 0 rejected/);
    assert.match((await run()).output, /1 read, 0 written/);
    const [row] = await database.query(
      "SELECT CAST(id AS CHAR), CAST(amount AS CHAR), CAST(at AS CHAR), CAST(day AS CHAR), HEX(raw) AS raw, ok, CAST(list AS CHAR), CAST(doc AS CHAR), number, text, empty, nothing FROM customers",
    );
    assert.deepEqual(
      Object.values(row ?? {}).map((value) =>
        typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value,
      ),
      [
        ...["9007199254740993", "1234567890123456789012345678.0123456789", "2026-03-29 02:30:00.123456"],
        ...["1999-12-31", "00FF27", 1, [1, null], { none: null, a: 1 }, 0.1],
        ...['tab\t line\n \\ "q" %s é 😀', "", null],
      ],
    );
  });
});

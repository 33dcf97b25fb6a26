import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { asDatabricks, leaveDatabricks } from "./databricks.ts";
import { type EmptyDatabase, emptyDatabase } from "./postgres.ts";
import { secrets, syncToPostgres } from "./reverse-etl-requests.ts";
import { crashPoints, type RunOptions, type SparkEngine, startSpark } from "./spark-engine.ts";

const byKey = { primary_keys: ["ID"], watermark_column: "updated_at" };
const byWatermark = { target_name: "log", watermark_column: "updated_at" };

describe("reverse ETL to PostgreSQL", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["main"], timeZone: "America/New_York" });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA main.gold");
  });

  const customers = () =>
    engine.sql("CREATE TABLE main.gold.customers (id BIGINT, name STRING, updated_at TIMESTAMP) USING DELTA");
  const add = (...rows: readonly string[]) =>
    engine.sql(`INSERT INTO main.gold.customers VALUES ${rows.map((row) => `(${row})`).join(", ")}`);
  const at = (second: string) => `TIMESTAMP '2026-01-01 00:00:${second}Z'`;
  const run = (notebook: string, options: RunOptions = {}) =>
    engine.completes(notebook, { secrets, ...options });
  const names = async (database: EmptyDatabase, table = "customers") =>
    (await database.query(`SELECT id, name FROM ${table} ORDER BY id, name`)).map(
      ({ id, name }) => `${id} ${name}`,
    );
  const reasons = async (database: EmptyDatabase, table = "customers") =>
    (await database.query(`SELECT reason FROM ${table}_rejects ORDER BY reason`)).map(({ reason }) => reason);

  it("creates the target, sends new rows by key, and finds late rows at the watermark", async (t) => {
    const database = await emptyDatabase(t);
    await customers();
    await add(`1, 'one', ${at("01")}`, `2, 'two', ${at("02.000002")}`, "3, 'no mark', NULL");
    const notebook = syncToPostgres(database, [byKey]);
    const first = await run(notebook);
    assert.match(first.output, /3 read, 3 written, 0 rejected, mark None -> 2026-01-01 00:00:02.000002/);

    const again = await run(notebook, { on: "databricks" });
    assert.match(again.output, /2 read, 0 written, 0 rejected/);

    await add(`4, 'late, at the mark', ${at("02.000002")}`, `2, 'older', ${at("02.5")}`);
    await add(`2, 'TWO', ${at("03")}`, `3, 'dated now', ${at("03")}`, `1, 'too late', ${at("00")}`);
    assert.match((await run(notebook)).output, /-> 2026-01-01 00:00:03/);
    const expected = ["1 one", "2 TWO", "3 dated now", "4 late, at the mark"];
    assert.deepEqual(await names(database), expected);
    // No row before the watermark is read again, and a row with a watermark replaces the one without.
    assert.match((await run(notebook)).output, /2 read, 0 written/);
    assert.deepEqual(await names(database), expected);
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
    // Open-source Spark has no tags: a table with the columns of Unity Catalog's view stands in for them.
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

  it(
    "appends each row once, equal ones as often as they occur, with a watermark and without",
    onlyNightly,
    async (t) => {
      const database = await emptyDatabase(t);
      await customers();
      await add(`1, 'a', ${at("01")}`, `1, 'a', ${at("01")}`, "2, 'b', NULL", `9, 'old', ${at("00")}`);
      const notebook = syncToPostgres(database, [byWatermark, { target_name: "bag" }]);
      await run(notebook);
      await run(notebook);
      await add(`1, 'a', ${at("01")}`, `3, 'c', ${at("01")}`, "2, 'b', NULL", `4, 'd', ${at("02")}`);
      assert.match((await run(notebook)).output, /log: 7 read, 4 written.*\n?.*bag: 8 read, 4 written/);
      await run(notebook);
      const expected = ["1 a", "1 a", "1 a", "2 b", "2 b", "3 c", "4 d", "9 old"];
      assert.deepEqual(await names(database, "log"), expected);
      assert.deepEqual(await names(database, "bag"), expected);
      const kept = await database.query(
        "SELECT count(*)::int AS count FROM lakehelm_sent WHERE target_table = 'log'",
      );
      assert.deepEqual(kept, [{ count: 3 }], "only what the next run reads again");

      await database.query("DROP TABLE log");
      await run(notebook);
      assert.deepEqual(await names(database, "log"), expected, "a table that was dropped is filled again");
    },
  );

  it(
    "replaces all rows in one transaction, and sends whole tables by key without a watermark",
    onlyNightly,
    async (t) => {
      const database = await emptyDatabase(t);
      await customers();
      await add("1, 'a', NULL", "2, '', NULL", "3, NULL, NULL");
      const tables = [
        { target_name: "all_of_it", write_strategy: "replace" },
        { target_name: "keyed", primary_keys: ["id"] },
      ];
      const notebook = syncToPostgres(database, tables);
      await run(notebook);
      await engine.sql("DELETE FROM main.gold.customers WHERE id = 1");
      await engine.sql("UPDATE main.gold.customers SET name = 'c' WHERE id = 3");
      assert.match(
        (await run(notebook)).output,
        /all_of_it: 2 read, 2 written.*\n?.*keyed: 2 read, 1 written/,
      );
      assert.deepEqual(await names(database, "all_of_it"), ["2 ", "3 c"]);
      assert.deepEqual(await names(database, "keyed"), ["1 a", "2 ", "3 c"]);
    },
  );

  it("a run takes a window, a full refresh, and rows that were refused", onlyNightly, async (t) => {
    const database = await emptyDatabase(t);
    await customers();
    await database.query(
      "CREATE TABLE customers (id bigint PRIMARY KEY, name varchar(5), updated_at timestamptz)",
    );
    await add(
      `1, 'one', ${at("01")}`,
      `2, 'too long', ${at("02")}`,
      `3, 'three', ${at("03")}`,
      "NULL, 'no', NULL",
    );
    const notebook = syncToPostgres(database, [byKey, byWatermark]);
    const keyed = (parameters: Record<string, string>) =>
      run(notebook, { parameters: { datasets: '["customers"]', ...parameters } });
    assert.match((await run(notebook)).output, /customers: 4 read, 2 written, 2 rejected/);
    assert.equal((await reasons(database)).length, 2);

    // A window leaves the mark as it is, also if a row of it has a later state.
    await database.query("UPDATE customers SET name = 'x'");
    await add(`4, 'four', ${at("04")}`, `1, 'newer', ${at("04")}`);
    const window = JSON.stringify({ from: "2026-01-01T00:00:01Z", to: "2026-01-01 00:00:04" });
    assert.match(
      (await keyed({ window })).output,
      /2 read, 1 written, 1 rejected, mark 2026-01-01 00:00:03 -> 2026-01-01 00:00:03/,
    );
    assert.deepEqual(await names(database), ["1 x", "3 three"]);
    const { error } = await engine.runNotebook(notebook, { secrets, parameters: { window } });
    assert.match(error?.message ?? "", /1 of 2 tables failed. log: it has no windows/);

    // The target is mended: only rows that were refused, and new ones, are read.
    await database.query("ALTER TABLE customers ALTER name TYPE text");
    assert.match((await keyed({ retry_rejects: "true" })).output, /5 read, 3 written, 1 rejected/);
    assert.deepEqual(await names(database), ["1 newer", "2 too long", "3 three", "4 four"]);
    assert.deepEqual(await reasons(database), ["A key column is NULL."]);

    await database.query("INSERT INTO customers VALUES (9, 'gone')");
    await database.query("UPDATE customers SET name = 'x' WHERE id = 3");
    assert.match((await keyed({ reset_watermark: "true" })).output, /5 read, 1 written, 1 rejected/);
    assert.deepEqual((await names(database)).at(-1), "9 gone");
    await database.query("INSERT INTO log VALUES (9, 'gone')");
    const refresh = { parameters: { full_refresh: "true" } };
    assert.match(
      (await run(notebook, refresh)).output,
      /customers: 5 read, 0 written[\s\S]*log: 6 read, 6 written/,
    );
    assert.equal((await names(database)).length, 4);
    assert.equal((await names(database, "log")).length, 6);
    assert.match((await run(notebook)).output, /log: 3 read, 0 written/);
    await engine.sql("DELETE FROM main.gold.customers WHERE id > 1");
    const lost = await engine.runNotebook(notebook, { secrets, ...refresh });
    assert.match(lost.error?.message ?? "", /customers: it would delete 3 of 4 rows, more than half/);
    assert.match(lost.error?.message ?? "", /log: it would delete 3 of 6|^1 of 2/);
    assert.equal((await names(database)).length, 4);
  });

  it("appended rows that were refused are sent again once", onlyNightly, async (t) => {
    const database = await emptyDatabase(t);
    await customers();
    await database.query("CREATE TABLE log (id bigint, name varchar(5), updated_at timestamptz)");
    await add(
      `1, 'a', ${at("01")}`,
      `2, 'too long', ${at("01")}`,
      `2, 'too long', ${at("01")}`,
      `3, 'c', ${at("02")}`,
    );
    const notebook = syncToPostgres(database, [byWatermark]);
    assert.match((await run(notebook)).output, /4 read, 2 written, 2 rejected/);
    await database.query("ALTER TABLE log ALTER name TYPE text");
    const parameters = { retry_rejects: "true" };
    assert.match((await run(notebook, { parameters })).output, /3 read, 2 written, 0 rejected/);
    assert.match((await run(notebook, { parameters })).output, /1 read, 0 written, 0 rejected/);
    assert.deepEqual(await names(database, "log"), ["1 a", "2 too long", "2 too long", "3 c"]);
    assert.deepEqual(await reasons(database, "log"), []);
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

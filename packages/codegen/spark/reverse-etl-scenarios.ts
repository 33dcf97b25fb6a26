import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import type { RunOptions, SparkEngine } from "./spark-engine.ts";

/** A database that a suite sends rows to, with the details that differ between databases. */
export interface Target {
  /** Creates an empty database, which is dropped after the test. */
  empty(t: Pick<TestContext, "after">): Promise<TargetDatabase>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The type of a column with a time in microseconds. */
  readonly timestamp: string;
  /** The statement that lets the column `name` of a table hold any text. */
  widen(table: string): string;
}

interface TargetDatabase {
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** The generated notebook of a reverse ETL to this database. */
  notebook(tables: readonly object[]): string;
}

export const byKey = { primary_keys: ["ID"], watermark_column: "updated_at" };
export const byWatermark = { target_name: "log", watermark_column: "updated_at" };

type Query = Pick<TargetDatabase, "query">;
export const names = async (database: Query, table = "customers") =>
  (await database.query(`SELECT id, name FROM ${table} ORDER BY id, name`)).map(
    ({ id, name }) => `${id} ${name}`,
  );
export const reasons = async (database: Query, table = "customers") =>
  (await database.query(`SELECT reason FROM ${table}_rejects ORDER BY reason`)).map(({ reason }) => reason);

/** The table in the lakehouse. */
export const source = (engine: () => SparkEngine) => ({
  customers: () =>
    engine().sql(
      "CREATE TABLE main.gold.customers (id BIGINT, name STRING, updated_at TIMESTAMP) USING DELTA",
    ),
  add: (...rows: readonly string[]) =>
    engine().sql(`INSERT INTO main.gold.customers VALUES ${rows.map((row) => `(${row})`).join(", ")}`),
});
export const at = (second: string) => `TIMESTAMP '2026-01-01 00:00:${second}Z'`;

/** Tests that every database must pass. */
export function testTarget(engine: () => SparkEngine, { empty, secrets, timestamp, widen }: Target): void {
  const { customers, add } = source(engine);
  const run = (notebook: string, options: RunOptions = {}) =>
    engine().completes(notebook, { secrets, ...options });

  it("creates the target, sends new rows by key, and finds late rows at the watermark", async (t) => {
    const database = await empty(t);
    await customers();
    await add(`1, 'one', ${at("01")}`, `2, 'two', ${at("02.000002")}`, "3, 'no mark', NULL");
    const notebook = database.notebook([byKey]);
    const first = await run(notebook);
    assert.match(first.output, /3 read, 3 written, 0 rejected, mark None -> 2026-01-01 00:00:02.000002/);

    const again = await run(notebook, { on: "databricks" });
    assert.match(again.output, /2 read, 0 written, 0 rejected/);

    await add(`4, 'late, at the mark', ${at("02.000002")}`, `2, 'older', ${at("02.5")}`);
    await add(`2, 'TWO', ${at("03")}`, `3, 'dated now', ${at("03")}`, `1, 'too late', ${at("00")}`);
    // For key 2, the row at the watermark and an older one are superseded.
    assert.match(
      (await run(notebook)).output,
      /2 superseded by another row with the same key, mark .* -> 2026-01-01 00:00:03/,
    );
    const expected = ["1 one", "2 TWO", "3 dated now", "4 late, at the mark"];
    assert.deepEqual(await names(database), expected);
    // Rows before the watermark are not read again, and a row with a watermark replaces the row without.
    assert.match((await run(notebook)).output, /2 read, 0 written/);
    assert.deepEqual(await names(database), expected);
  });

  it(
    "appends each row once, equal ones as often as they occur, with a watermark and without",
    onlyNightly,
    async (t) => {
      const database = await empty(t);
      await customers();
      await add(`1, 'a', ${at("01")}`, `1, 'a', ${at("01")}`, "2, 'b', NULL", `9, 'old', ${at("00")}`);
      const notebook = database.notebook([byWatermark, { target_name: "bag" }]);
      await run(notebook);
      await run(notebook);
      await add(`1, 'a', ${at("01")}`, `3, 'c', ${at("01")}`, "2, 'b', NULL", `4, 'd', ${at("02")}`);
      assert.match((await run(notebook)).output, /log: 7 read, 4 written.*\n?.*bag: 8 read, 4 written/);
      await run(notebook);
      const expected = ["1 a", "1 a", "1 a", "2 b", "2 b", "3 c", "4 d", "9 old"];
      assert.deepEqual(await names(database, "log"), expected);
      assert.deepEqual(await names(database, "bag"), expected);
      const kept = await database.query("SELECT 1 FROM lakehelm_sent WHERE target_table = 'log'");
      assert.equal(kept.length, 3, "only what the next run reads again");

      await database.query("DROP TABLE log");
      await run(notebook);
      assert.deepEqual(await names(database, "log"), expected, "a table that was dropped is filled again");
    },
  );

  it(
    "replaces all rows in one transaction, and sends whole tables by key without a watermark",
    onlyNightly,
    async (t) => {
      const database = await empty(t);
      await customers();
      await add("1, 'a', NULL", "2, '', NULL", "3, NULL, NULL");
      const tables = [
        { target_name: "all_of_it", write_strategy: "replace" },
        { target_name: "keyed", primary_keys: ["id"] },
      ];
      const notebook = database.notebook(tables);
      await run(notebook);
      await engine().sql("DELETE FROM main.gold.customers WHERE id = 1");
      await engine().sql("UPDATE main.gold.customers SET name = 'c' WHERE id = 3");
      assert.match(
        (await run(notebook)).output,
        /all_of_it: 2 read, 2 written.*\n?.*keyed: 2 read, 1 written/,
      );
      assert.deepEqual(await names(database, "all_of_it"), ["2 ", "3 c"]);
      assert.deepEqual(await names(database, "keyed"), ["1 a", "2 ", "3 c"]);
    },
  );

  it("a run takes a window, a full refresh, and rows that were refused", onlyNightly, async (t) => {
    const database = await empty(t);
    await customers();
    await database.query(
      `CREATE TABLE customers (id bigint PRIMARY KEY, name varchar(5), updated_at ${timestamp})`,
    );
    await add(
      `1, 'one', ${at("01")}`,
      `2, 'too long', ${at("02")}`,
      `3, 'three', ${at("03")}`,
      "NULL, 'no', NULL",
    );
    const notebook = database.notebook([byKey, byWatermark]);
    const keyed = (parameters: Record<string, string>) =>
      run(notebook, { parameters: { datasets: '["customers"]', ...parameters } });
    assert.match((await run(notebook)).output, /customers: 4 read, 2 written, 2 rejected/);
    assert.equal((await reasons(database)).length, 2);

    // A window does not change the mark, even if one of its rows has a later state.
    await database.query("UPDATE customers SET name = 'x'");
    await add(`4, 'four', ${at("04")}`, `1, 'newer', ${at("04")}`);
    const window = JSON.stringify({ from: "2026-01-01T00:00:01Z", to: "2026-01-01 00:00:04" });
    assert.match(
      (await keyed({ window })).output,
      /2 read, 1 written, 1 rejected, mark 2026-01-01 00:00:03 -> 2026-01-01 00:00:03/,
    );
    assert.deepEqual(await names(database), ["1 x", "3 three"]);
    const { error } = await engine().runNotebook(notebook, { secrets, parameters: { window } });
    assert.match(error?.message ?? "", /1 of 2 tables failed. log: it has no windows/);

    // The target now accepts longer names: only refused rows and new rows are read.
    await database.query(widen("customers"));
    assert.match((await keyed({ retry_rejects: "true" })).output, /5 read, 3 written, 1 rejected/);
    assert.deepEqual(await names(database), ["1 newer", "2 too long", "3 three", "4 four"]);
    assert.deepEqual(await reasons(database), ["A key column is NULL."]);

    await database.query("INSERT INTO customers VALUES (9, 'gone', NULL)");
    await database.query("UPDATE customers SET name = 'x' WHERE id = 3");
    assert.match((await keyed({ reset_watermark: "true" })).output, /5 read, 1 written, 1 rejected/);
    assert.deepEqual((await names(database)).at(-1), "9 gone");
    await database.query("INSERT INTO log VALUES (9, 'gone', NULL)");
    const refresh = { parameters: { full_refresh: "true" } };
    assert.match(
      (await run(notebook, refresh)).output,
      /customers: 5 read, 0 written[\s\S]*log: 6 read, 6 written/,
    );
    assert.equal((await names(database)).length, 4);
    assert.equal((await names(database, "log")).length, 6);
    assert.match((await run(notebook)).output, /log: 3 read, 0 written/);
    await engine().sql("DELETE FROM main.gold.customers WHERE id > 1");
    const lost = await engine().runNotebook(notebook, { secrets, ...refresh });
    assert.match(lost.error?.message ?? "", /customers: it would delete 3 of 4 rows, more than half/);
    assert.match(lost.error?.message ?? "", /log: it would delete 3 of 6|^1 of 2/);
    assert.equal((await names(database)).length, 4);
  });

  it("appended rows that were refused are sent again once", onlyNightly, async (t) => {
    const database = await empty(t);
    await customers();
    await database.query(`CREATE TABLE log (id bigint, name varchar(5), updated_at ${timestamp})`);
    await add(
      `1, 'a', ${at("01")}`,
      `2, 'too long', ${at("01")}`,
      `2, 'too long', ${at("01")}`,
      `3, 'c', ${at("02")}`,
    );
    const notebook = database.notebook([byWatermark]);
    assert.match((await run(notebook)).output, /4 read, 2 written, 2 rejected/);
    await database.query(widen("log"));
    const parameters = { retry_rejects: "true" };
    assert.match((await run(notebook, { parameters })).output, /3 read, 2 written, 0 rejected/);
    assert.match((await run(notebook, { parameters })).output, /1 read, 0 written, 0 rejected/);
    assert.deepEqual(await names(database, "log"), ["1 a", "2 too long", "2 too long", "3 c"]);
    assert.deepEqual(await reasons(database, "log"), []);
  });
}

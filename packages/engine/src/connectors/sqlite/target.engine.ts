import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { TargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";
import { openSqliteTarget } from "./target.ts";
import { declaredType, declaredWarehouseType } from "./target-types.ts";

targetSuite(
  "SQLite as a target",
  async (_, { folder }) => ({ type: "sqlite", config: { path: join(folder, "crm.db") } }),
  // All strategies use one transaction, so one of them is enough.
  (title) => !/^(append|replace): after failures/.test(title),
);

suite("SQLite that others made", () => {
  const endings: (() => Promise<void>)[] = [];
  let shared: TargetHarness;
  before(async () => {
    shared = await TargetHarness.start(endings);
  });
  after(async () => {
    for (const end of endings) await end();
  });

  async function madeBy(statements: string) {
    const writing = await shared.withNewFolder();
    const path = join(writing.folder, "crm.db");
    const database = new DatabaseSync(path);
    database.exec(statements);
    return { writing, database, path, there: { type: "sqlite", config: { path } } };
  }

  test("rows that a constraint refuses are rejected with SQLite's reason, the others go through", async () => {
    const { writing, database, there } = await madeBy(
      "CREATE TABLE Orders (ID INTEGER PRIMARY KEY, name TEXT NOT NULL, amount DECIMAL(10,2) CHECK (amount < 900), own TEXT DEFAULT 'x')",
    );
    const select =
      "SELECT i AS id, CASE WHEN i <> 77 THEN 'n' || i END AS name, i::DECIMAL(10,2) AS amount FROM range(1, 1001) r(i)";
    const written = await writing.write(there, { select });
    assert.deepEqual([written.inserted, written.updated, written.rejected.length], [898, 0, 102]);
    assert.deepEqual(writing.rejects[0], {
      reason: "NOT NULL constraint failed: Orders.name",
      row: { id: 77, name: null, amount: "77.00" },
    });
    assert.match(writing.rejects[1]?.reason ?? "", /CHECK constraint failed/);
    database.exec("UPDATE Orders SET own = 'kept'");
    const again = await writing.write(there, {
      select: "SELECT 1::BIGINT AS id, 'uno' AS name, 1.5::DECIMAL(10,2) AS amount",
    });
    assert.deepEqual([again.inserted, again.updated], [0, 1]);
    const row = database.prepare("SELECT * FROM orders WHERE id = 1").get();
    assert.deepEqual({ ...row }, { ID: 1, name: "uno", amount: 1.5, own: "kept" });
  });

  test("an upsert needs a unique index, and says how to make it", async () => {
    const { writing, there } = await madeBy("CREATE TABLE orders (id INTEGER, name TEXT)");
    const run = { select: "SELECT 1 AS id, 'x' AS name" };
    await assert.rejects(
      writing.write(there, run),
      /no unique index on id, .+ CREATE UNIQUE INDEX "orders_key" ON "orders" \("id"\)/,
    );
    await writing.write(there, { ...run, strategy: "append" });
    const made = await madeBy(
      "CREATE TABLE orders (id INTEGER, name TEXT); CREATE UNIQUE INDEX u ON orders (id)",
    );
    assert.equal((await made.writing.write(made.there, run)).inserted, 1);
  });

  test("a lock that somebody else keeps is a retryable problem", async () => {
    const { writing, database, there } = await madeBy("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
    database.exec("BEGIN IMMEDIATE");
    const target = await openSqliteTarget(there, writing.context, 20);
    const run = { select: "SELECT 1 AS id" };
    await assert.rejects(writing.writeTo(target, run), (error) => {
      assert.ok(error instanceof DataProblem && error.retryable);
      assert.match(error.message, /crm\.db is locked by another program/);
      return true;
    });
    database.exec("COMMIT");
    assert.equal((await writing.writeTo(target, run)).inserted, 1);
    await target.close();
  });

  test("views, tables of ours, damaged files and places that are not there are told in words", async () => {
    const { writing, there } = await madeBy("CREATE VIEW orders AS SELECT 1 AS id");
    const run = { select: "SELECT 1 AS id" };
    await assert.rejects(writing.write(there, run), /orders is a view/);
    await assert.rejects(writing.write(there, { ...run, name: "_lakehelm_marks" }), /reserved for Lakehelm/);
    const at = (place: string) => ({ type: "sqlite", config: { path: place } });
    const isProblem = (pattern: RegExp) => (error: unknown) =>
      error instanceof DataProblem && !error.retryable && pattern.test(error.message);
    await writeFile(
      join(writing.folder, "text.db"),
      "this is no database, but a text of some length\n".repeat(100),
    );
    await assert.rejects(
      writing.write(at(join(writing.folder, "text.db")), run),
      isProblem(/is not a SQLite database/),
    );
    await assert.rejects(
      writing.write(at(join(writing.folder, "no/crm.db")), run),
      isProblem(/There is no folder .+\/no for crm\.db/),
    );
    await assert.rejects(writing.write(at("crm.db"), run), isProblem(/is not absolute/));
    await assert.rejects(
      writing.write({ type: "sqlite", config: { pth: "/crm.db" } }, run),
      isProblem(/target_config\.path: it is required\. .*"pth" is not known\. Did you mean "path"\?/),
    );
    await mkdir(writing.context.ownFolder);
    await assert.rejects(
      writing.write(at(join(writing.context.ownFolder, "x.db")), run),
      isProblem(/Lakehelm's warehouse folder/),
    );
    await mkdir(join(writing.folder, "folder.db"));
    await assert.rejects(
      writing.write(at(join(writing.folder, "folder.db")), run),
      isProblem(/cannot be opened/),
    );
  });

  test("numbers that are none, and times without an end, are kept as text", async () => {
    const writing = await shared.withNewFolder();
    const path = join(writing.folder, "crm.db");
    const select =
      "SELECT 1 AS id, 'nan'::DOUBLE AS nan, '-inf'::DOUBLE AS least, 'infinity'::TIMESTAMPTZ AS moment, '-infinity'::DATE AS day, INTERVAL '1 month 2 days' AS span";
    await writing.write({ type: "sqlite", config: { path } }, { select });
    const row = new DatabaseSync(path).prepare("SELECT * FROM orders").get();
    const expected = {
      id: 1,
      nan: "NaN",
      least: -Infinity,
      moment: "infinity",
      day: "-infinity",
      span: "1 month 2 days",
    };
    assert.deepEqual({ ...row }, expected);
  });
});

test("a declared type of SQLite says which type of the warehouse it was", () => {
  const types = [
    "BOOLEAN",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UBIGINT",
    "DECIMAL(12,2)",
    "DOUBLE",
    "DATE",
    "TIME",
    "TIMESTAMP",
    "TIMESTAMP WITH TIME ZONE",
    "INTERVAL",
    "UUID",
    "BLOB",
    "JSON",
    "VARCHAR",
    "TIMESTAMP_NS",
  ];
  for (const type of types) assert.equal(declaredWarehouseType(declaredType(type)), type);
  assert.equal(declaredType("STRUCT(a INTEGER)[]"), '"STRUCT(a INTEGER)[]"');
  assert.equal(declaredWarehouseType("STRUCT(a INTEGER)[]"), "STRUCT(a INTEGER)[]");
  assert.equal(declaredWarehouseType("NVARCHAR(20)"), undefined);
});

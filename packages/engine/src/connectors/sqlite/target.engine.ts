import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import { duckdbDeclarations } from "../../testing/every-type/duckdb.ts";
import { sharedTargetHarness } from "../../testing/target-harness.ts";
import { targetSuite } from "../../testing/target-suite.ts";
import { literal } from "../../warehouse/names.ts";
import { warehouseType } from "./source-types.ts";
import { openSqliteTarget } from "./target.ts";
import { declaredType, declaredWarehouseType } from "./target-types.ts";

targetSuite(
  "SQLite as a target",
  async (_, { folder }) => ({ type: "sqlite", config: { path: join(folder, "crm.db") } }),
  // All strategies write in one transaction, so the failure tests of one strategy are enough.
  (title) => !/^(append|replace): after failures/.test(title),
);

suite("an existing SQLite file", () => {
  const newHarness = sharedTargetHarness();

  async function openFile(statements: string) {
    const harness = await newHarness();
    const path = join(harness.folder, "crm.db");
    const database = new DatabaseSync(path);
    database.exec(statements);
    return { harness, database, path, connection: { type: "sqlite", config: { path } } };
  }

  test("rows that violate a constraint are rejected with SQLite's reason, and the others are written", async () => {
    const { harness, database, connection } = await openFile(
      "CREATE TABLE Orders (ID INTEGER PRIMARY KEY, name TEXT NOT NULL, amount DECIMAL(10,2) CHECK (amount < 900), own TEXT DEFAULT 'x')",
    );
    const select =
      "SELECT i AS id, CASE WHEN i <> 77 THEN 'n' || i END AS name, i::DECIMAL(10,2) AS amount FROM range(1, 1001) r(i)";
    const written = await harness.write(connection, { select });
    assert.deepEqual([written.inserted, written.updated, written.rejected.length], [898, 0, 102]);
    assert.deepEqual(harness.rejects[0], {
      reason: "NOT NULL constraint failed: Orders.name",
      row: { id: 77, name: null, amount: "77.00" },
    });
    assert.match(harness.rejects[1]?.reason ?? "", /CHECK constraint failed/);
    database.exec("UPDATE Orders SET own = 'kept'");
    const again = await harness.write(connection, {
      select: "SELECT 1::BIGINT AS id, 'uno' AS name, 1.5::DECIMAL(10,2) AS amount",
    });
    assert.deepEqual([again.inserted, again.updated], [0, 1]);
    const row = database.prepare("SELECT * FROM orders WHERE id = 1").get();
    assert.deepEqual({ ...row }, { ID: 1, name: "uno", amount: 1.5, own: "kept" });
  });

  test("an upsert without a unique index is an error that shows how to create one", async () => {
    const { harness, connection } = await openFile("CREATE TABLE orders (id INTEGER, name TEXT)");
    const run = { select: "SELECT 1 AS id, 'x' AS name" };
    await assert.rejects(
      harness.write(connection, run),
      /no unique index on id, .+ CREATE UNIQUE INDEX "orders_key" ON "orders" \("id"\)/,
    );
    await harness.write(connection, { ...run, strategy: "append" });
    const indexed = await openFile(
      "CREATE TABLE orders (id INTEGER, name TEXT); CREATE UNIQUE INDEX u ON orders (id)",
    );
    assert.equal((await indexed.harness.write(indexed.connection, run)).inserted, 1);
  });

  test("a file that another program has locked is a retryable problem", async () => {
    const { harness, database, connection } = await openFile("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
    database.exec("BEGIN IMMEDIATE");
    const target = await openSqliteTarget(connection, harness.context, 20);
    const run = { select: "SELECT 1 AS id" };
    await assert.rejects(harness.writeTo(target, run), (error) => {
      assert.ok(error instanceof DataProblem && error.retryable);
      assert.match(error.message, /crm\.db is locked by another program/);
      return true;
    });
    database.exec("COMMIT");
    assert.equal((await harness.writeTo(target, run)).inserted, 1);
    await target.close();
  });

  test("views, reserved names, invalid files and invalid paths are reported", async () => {
    const { harness, connection } = await openFile("CREATE VIEW orders AS SELECT 1 AS id");
    const run = { select: "SELECT 1 AS id" };
    await assert.rejects(harness.write(connection, run), /orders is a view/);
    await assert.rejects(
      harness.write(connection, { ...run, name: "_lakehelm_marks" }),
      /reserved for Lakehelm/,
    );
    const at = (path: string) => ({ type: "sqlite", config: { path } });
    const isProblem = (pattern: RegExp) => (error: unknown) =>
      error instanceof DataProblem && !error.retryable && pattern.test(error.message);
    await writeFile(join(harness.folder, "text.db"), "this is not a database\n".repeat(100));
    await assert.rejects(
      harness.write(at(join(harness.folder, "text.db")), run),
      isProblem(/is not a SQLite database/),
    );
    await assert.rejects(
      harness.write(at(join(harness.folder, "no/crm.db")), run),
      isProblem(/There is no folder .+\/no for crm\.db/),
    );
    await assert.rejects(harness.write(at("crm.db"), run), isProblem(/is not absolute/));
    await assert.rejects(
      harness.write({ type: "sqlite", config: { pth: "/crm.db" } }, run),
      isProblem(/target_config\.path: it is required\. .*"pth" is not known\. Did you mean "path"\?/),
    );
    await assert.rejects(
      harness.write(at(join(harness.dataFolder, "x.db")), run),
      isProblem(/Lakehelm's data folder/),
    );
    await mkdir(join(harness.folder, "folder.db"));
    await assert.rejects(
      harness.write(at(join(harness.folder, "folder.db")), run),
      isProblem(/cannot be opened/),
    );
  });

  test("NaN and infinite times are stored as text", async () => {
    const harness = await newHarness();
    const path = join(harness.folder, "crm.db");
    const select =
      "SELECT 1 AS id, 'nan'::DOUBLE AS nan, '-inf'::DOUBLE AS least, 'infinity'::TIMESTAMPTZ AS moment, '-infinity'::DATE AS day, INTERVAL '1 month 2 days' AS span";
    await harness.write({ type: "sqlite", config: { path } }, { select });
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

test("a declared type maps back to the warehouse type that it was created for", () => {
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
  assert.equal(declaredWarehouseType("DECIMAL(50,2)[]"), undefined);
});

test("a list or struct of any type of DuckDB's catalog can be read, as such or as text", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  let asText = 0;
  const types = (await duckdbDeclarations()).filter((type) => !/ COLLATE /.test(type));
  for (const element of types) {
    for (const [type, json] of [
      [`${element}[]`, '["1"]'],
      [`${element}[1]`, '["1"]'],
      [`STRUCT(a ${element})`, '{"a": "1"}'],
      [`MAP(VARCHAR, ${element})`, '{"a": "1"}'],
    ] as const) {
      const read = warehouseType(type);
      assert.ok(read === type || read === "VARCHAR", `${type} is read as ${read}`);
      if (read === "VARCHAR") asText++;
      else await connection.run(`SELECT TRY_CAST(j AS ${read}) FROM (VALUES (${literal(json)}::JSON)) v(j)`);
    }
  }
  assert.ok(asText > 0 && asText < 2 * types.length, `${asText} are read as text`);
  connection.closeSync();
  instance.closeSync();
});

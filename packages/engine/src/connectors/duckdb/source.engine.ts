import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openDuckdbSource } from "./source.ts";

async function openShop(t: TestContext, sql: string) {
  const harness = await openSourceHarness(t);
  const path = join(harness.folder, "it's a shop.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  return { ...harness, path, source: await openDuckdbSource({ path }, harness.context) };
}

describe("a DuckDB source", () => {
  it("keeps every type, including nested ones", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE TABLE kinds (id HUGEINT PRIMARY KEY, price DECIMAL(38,10), tags VARCHAR[], place STRUCT(x INTEGER, "y z" VARCHAR),
         counts MAP(VARCHAR, INTEGER), mood ENUM('good', 'bad'), seen_at TIMESTAMPTZ, day DATE, doc JSON, raw BLOB, id2 UUID, note VARCHAR);
       INSERT INTO kinds VALUES (170141183460469231731687303715884105727, 1.0000000001, ['a', NULL, ''], {x: 1, 'y z': 'ü'},
         MAP {'a': 1}, 'bad', '2026-01-01 00:00:00.000001+00', '5874897-12-31', '{"a": 1}', '\\x00', '00000000-0000-0000-0000-000000000001', ''),
         (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);`,
    );
    const { rows, types } = await read(source, "kinds");
    assert.deepEqual(types, [
      "HUGEINT",
      "DECIMAL(38,10)",
      "VARCHAR[]",
      'STRUCT(x INTEGER, "y z" VARCHAR)',
      "MAP(VARCHAR, INTEGER)",
      "VARCHAR",
      "TIMESTAMP WITH TIME ZONE",
      "DATE",
      "JSON",
      "BLOB",
      "UUID",
      "VARCHAR",
    ]);
    assert.deepEqual(rows[0], ["2", ...Array.from({ length: 11 }, () => null)]);
    assert.deepEqual(rows[1]?.slice(0, 4), [
      "170141183460469231731687303715884105727",
      "1.0000000001",
      ["a", null, ""],
      { x: 1, "y z": "ü" },
    ]);
    assert.deepEqual(rows[1]?.slice(5, 9), [
      "bad",
      "2026-01-01 00:00:00.000001+00",
      "5874897-12-31",
      '{"a": 1}',
    ]);
  });

  it("lists tables and views of all schemas, and reads rows from the watermark on", async (t) => {
    const { source, read, path } = await openShop(
      t,
      `CREATE TABLE orders (id INTEGER PRIMARY KEY, updated_at TIMESTAMP NOT NULL, "select" VARCHAR);
       INSERT INTO orders VALUES (1, '2026-01-01 10:00:00', 'a'), (2, '2026-01-01 10:00:00.000001', 'b'), (3, '2026-01-02', 'c');
       CREATE SCHEMA sales; CREATE VIEW sales."big ""ones""" AS SELECT * FROM orders; CREATE TABLE _lakehelm_marks (n INTEGER);`,
    );
    assert.deepEqual(
      (await source.discover()).map(({ name, primary_keys, watermark_candidates, rows }) => ({
        name,
        primary_keys,
        watermark_candidates,
        rows,
      })),
      [
        { name: "orders", primary_keys: ["id"], watermark_candidates: ["updated_at", "id"], rows: 3 },
        { name: 'sales.big "ones"', primary_keys: [], watermark_candidates: ["updated_at"], rows: null },
      ],
    );
    const since = { column: "updated_at", value: "2026-01-01 10:00:00.000001" };
    assert.deepEqual((await read(source, 'SALES.big "ones"', { since, columns: ["select", "id"] })).rows, [
      ["b", 2],
      ["c", 3],
    ]);
    const window = { ...since, before: "2026-01-01 10:00:00.000002" };
    assert.deepEqual((await read(source, 'SALES.big "ones"', { since: window, columns: ["id"] })).rows, [
      [2],
    ]);
    await assert.rejects(
      source.describe("ordrs"),
      new DataProblem(`There is no dataset "ordrs" in ${path}. Did you mean orders?`),
    );
  });

  it("reports why a file cannot be read", async (t) => {
    const { folder, context } = await openSourceHarness(t);
    const garbage = join(folder, "garbage.duckdb");
    await writeFile(garbage, "this is not a database".repeat(1000));
    const firstFinding = async (path: string) =>
      (await (await openDuckdbSource({ path }, context)).check([]))[0];
    assert.match(
      (await firstFinding(garbage))?.sentence ?? "",
      /garbage\.duckdb cannot be read: .*not a valid DuckDB database/,
    );
    assert.match(
      (await firstFinding(join(folder, "none.duckdb")))?.sentence ?? "",
      /none\.duckdb cannot be read: .*does not exist/,
    );
  });

  it("a file that another process writes to is a retryable problem", async (t) => {
    const { source, path } = await openShop(t, "CREATE TABLE orders (id INTEGER)");
    const writer = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve("@duckdb/node-api"))};
       const instance = await DuckDBInstance.create(${JSON.stringify(path)});
       await instance.connect(); console.log("open"); setInterval(() => {}, 1000);`,
    ]);
    await once(writer.stdout, "data");
    await assert.rejects(source.describe("orders"), (error: DataProblem) => {
      assert.match(error.message, /another process is writing to it/);
      return error.retryable;
    });
    writer.kill();
    await once(writer, "exit");
  });

  it("cannot read any other file through a view of the database", async (t) => {
    const { source, read, folder, context } = await openShop(t, "CREATE TABLE orders AS SELECT 1 AS id");
    const secret = join(folder, "secret.txt");
    await writeFile(secret, "s3cret");
    const hostile = join(folder, "hostile.duckdb");
    const instance = await DuckDBInstance.create(hostile);
    const connection = await instance.connect();
    await connection.run(
      `CREATE VIEW text AS SELECT content FROM read_text('${secret}');
       CREATE VIEW csv AS SELECT * FROM read_csv('${secret}', header = false);
       CREATE VIEW variables AS SELECT * FROM read_blob('/proc/self/environ');
       CREATE VIEW files AS SELECT * FROM glob('${folder}/*');`,
    );
    connection.closeSync();
    instance.closeSync();
    const attacker = await openDuckdbSource({ path: hostile }, context);
    for (const view of ["text", "csv", "variables", "files"]) {
      await assert.rejects(read(attacker, view), (error: Error) => {
        assert.match(error.message, /hostile\.duckdb cannot be read: a view in it reads ".+"\./);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
    }
    assert.deepEqual((await read(source, "orders")).rows, [[1]]);
  });

  it("is read through links to the file and to its folder", async (t) => {
    const { read, folder, path, context } = await openShop(t, "CREATE TABLE orders AS SELECT 1 AS id");
    await symlink(path, join(folder, "link.duckdb"));
    await symlink("link.duckdb", join(folder, "second.duckdb"));
    await symlink(folder, join(folder, "folder"));
    for (const link of ["link.duckdb", "second.duckdb", "folder/link.duckdb", "folder/it's a shop.duckdb"]) {
      const source = await openDuckdbSource({ path: join(folder, link) }, context);
      assert.deepEqual((await read(source, "orders")).rows, [[1]], link);
    }
  });

  it("is not opened if its log is a link", async (t) => {
    const { source, path, folder } = await openShop(t, "CREATE TABLE orders AS SELECT 1 AS id");
    await writeFile(join(folder, "other"), "");
    await symlink(join(folder, "other"), `${path}.wal`);
    await assert.rejects(source.discover(), /shop\.duckdb\.wal is not a regular file/);
  });
});

import assert from "node:assert/strict";
import { open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it, type TestContext } from "node:test";
import { DataProblem } from "../../protocol/problem.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { openForeignSqlite } from "./file.ts";
import { openSqliteSource } from "./source.ts";

async function openShop(t: TestContext, sql: string) {
  const harness = await openSourceHarness(t);
  const path = join(harness.folder, "shop.db");
  const database = new DatabaseSync(path);
  database.exec(sql);
  t.after(() => database.close());
  const source = await openSqliteSource({ path }, harness.context);
  return { ...harness, path, database, source };
}

describe("a SQLite source", () => {
  it("reads every value without loss, and NULL differs from an empty text", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE TABLE kinds (
         id INTEGER PRIMARY KEY, big BIGINT, price DECIMAL(12,2), ratio REAL, note TEXT, is_open BOOLEAN, day DATE,
         at DATETIME, seen TIMESTAMPTZ, doc JSON, raw BLOB, number NUMERIC, anything
       );
       INSERT INTO kinds VALUES
         (1, 9223372036854775807, '1.10', 0.1, '', 1, '2026-02-28', '2026-02-28 12:30:00.25', '2026-02-28T12:30:00+02:00',
          '{"a":[1]}', x'00ff', 1.5, 1.0),
         (2, -9223372036854775808, 12345678.9, -1e300, 'Ünïcode 🚀', 'false', '0001-01-01', '2026-02-28T12:30:00Z',
          '2026-02-28 12:30:00', 'null', '', 3, 'text'),
         (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);`,
    );
    const { rows, types, rejects } = await read(source, "kinds");
    assert.deepEqual(rejects, []);
    assert.deepEqual(types, [
      "BIGINT",
      "BIGINT",
      "DECIMAL(12,2)",
      "DOUBLE",
      "VARCHAR",
      "BOOLEAN",
      "DATE",
      "TIMESTAMP",
      "TIMESTAMP WITH TIME ZONE",
      "JSON",
      "BLOB",
      "VARCHAR",
      "VARCHAR",
    ]);
    assert.deepEqual(rows, [
      [
        "1",
        "9223372036854775807",
        "1.10",
        0.1,
        "",
        true,
        "2026-02-28",
        "2026-02-28 12:30:00.25",
        "2026-02-28 10:30:00+00",
        '{"a":[1]}',
        "\\x00\\xFF",
        "1.5",
        "1.0",
      ],
      [
        "2",
        "-9223372036854775808",
        "12345678.90",
        -1e300,
        "Ünïcode 🚀",
        false,
        "0001-01-01",
        "2026-02-28 12:30:00",
        "2026-02-28 12:30:00+00",
        "null",
        "",
        "3",
        "text",
      ],
      ["3", null, null, null, null, null, null, null, null, null, null, null, null],
    ]);
  });

  it("rejects a value that its column cannot store without loss", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE TABLE loose (id INTEGER PRIMARY KEY, n INT, price DECIMAL(6,2), day DATE, at TIMESTAMP, ok BOOLEAN, doc JSON);
       INSERT INTO loose VALUES (1, 'many', 1, NULL, NULL, NULL, NULL), (2, 1.5, 1, NULL, NULL, NULL, NULL),
         (3, 3, 1.005, NULL, NULL, NULL, NULL), (4, 4, 10000, NULL, NULL, NULL, NULL),
         (5, 5, 1, '2026-02-31', NULL, NULL, NULL), (6, 6, 1, '2026-02-01 10:00', NULL, NULL, NULL),
         (7, 7, 1, NULL, 1770000000, NULL, NULL), (8, 8, 1, NULL, NULL, 2, NULL), (9, 9, 1, NULL, NULL, NULL, '{half'),
         (10, 10, 0.1 + 0.2, '2026-02-01 00:00:00', NULL, NULL, NULL);`,
    );
    const { rows, rejects } = await read(source, "loose");
    assert.deepEqual(rows, [["10", "10", "0.30", "2026-02-01", null, null, null]]);
    assert.deepEqual(
      rejects
        .map(({ reason, row }) => `${row.id}: ${reason}`)
        .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)),
      [
        '1: the column "n": many is not a BIGINT',
        '2: the column "n": 1.5 is not a BIGINT',
        '3: the column "price": 1.005 is not a DECIMAL(6,2)',
        '4: the column "price": 10000 is not a DECIMAL(6,2)',
        '5: the column "day": 2026-02-31 is not a DATE',
        '6: the column "day": 2026-02-01 10:00 is not a DATE',
        '7: the column "at": 1770000000 is not a TIMESTAMP',
        '8: the column "ok": 2 is not a BOOLEAN',
        '9: the column "doc": {half is not a JSON',
      ],
    );
  });

  it("reads rows from the watermark on, in any time format", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE TABLE events (id INTEGER PRIMARY KEY, updated_at TIMESTAMP);
       INSERT INTO events VALUES (1, '2026-01-01 09:59:59.999'), (2, '2026-01-01 10:00:00'), (3, '2026-01-01T10:00:00Z'),
         (4, '2026-01-01T11:00:00+02:00'), (5, '2026-01-01T11:00:00+00:30'), (6, NULL), (7, '2026-01-02');`,
    );
    const since = { column: "updated_at", value: "2026-01-01 10:00:00" };
    const ids = async (of: Parameters<typeof read>[2]) =>
      (await read(source, "events", of)).rows.map(([id]) => Number(id));
    assert.deepEqual(await ids({ columns: ["id"], since }), [2, 3, 5, 6, 7]);
    assert.deepEqual(await ids({ since: { column: "id", value: "5" } }), [5, 6, 7]);
    // With an upper bound, SQLite filters numbers exactly, and times by the day.
    assert.deepEqual(await ids({ since: { column: "id", value: "2", before: "4" } }), [2, 3]);
    const before = "2025-12-31 00:00:00";
    assert.deepEqual(
      await ids({ since: { ...since, value: "2025-12-30 00:00:00", before } }),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(await ids({ since: { ...since, value: "2025-11-01", before: "2025-12-01" } }), []);
  });

  it("compares decimals with the watermark as numbers, and texts by their bytes", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE TABLE prices (id INTEGER PRIMARY KEY, price DECIMAL(10,2), exact TEXT_DECIMAL(10,2), code TEXT COLLATE NOCASE);
       INSERT INTO prices VALUES (1, 9.5, '9.50', 'B'), (2, 10.5, '10.50', 'a'), (3, 100, '100.00', 'C');`,
    );
    const from = async (column: string, value: string) =>
      (await read(source, "prices", { since: { column, value } })).rows.map(([id]) => Number(id));
    assert.deepEqual(await from("price", "10.00"), [2, 3]);
    assert.deepEqual(await from("exact", "10.00"), [2, 3]);
    assert.deepEqual(await from("code", "C"), [2, 3]);
  });

  it("lists tables and views with any name, with keys and watermark candidates", async (t) => {
    const { source, read, path } = await openShop(
      t,
      `CREATE TABLE "order ""items"" \`x\`" ("select" INTEGER, "a b" TEXT, "it's" DATE, changed_at TIMESTAMP, PRIMARY KEY ("a b", "select"));
       INSERT INTO "order ""items"" \`x\`" VALUES (1, 'a', '2026-01-01', NULL);
       CREATE TABLE orders (id INTEGER PRIMARY KEY, placed DATETIME NOT NULL, updated TIMESTAMP);
       CREATE VIEW recent AS SELECT * FROM orders; CREATE TABLE _lakehelm_marks (stream TEXT);`,
    );
    const datasets = await source.discover();
    assert.deepEqual(
      datasets.map(({ name, primary_keys, watermark_candidates }) => [
        name,
        primary_keys,
        watermark_candidates,
      ]),
      [
        ['order "items" `x`', ["a b", "select"], ["changed_at", "it's"]],
        ["orders", ["id"], ["updated", "placed", "id"]],
        ["recent", [], ["updated", "placed"]],
      ],
    );
    assert.deepEqual(datasets[1]?.columns[1], {
      name: "placed",
      type: "TIMESTAMP",
      wire: "VARCHAR",
      sourceEquality: "narrower",
      origin: "DATETIME",
      nullable: false,
    });
    assert.deepEqual((await read(source, 'ORDER "items" `x`')).rows, [["1", "a", "2026-01-01", null]]);
    assert.deepEqual(await source.check(["recent", "ordres"]), [
      { ok: true, sentence: `can open ${path}` },
      { ok: true, sentence: `can read recent in ${path}` },
      { ok: false, sentence: `There is no dataset "ordres" in ${path}. Did you mean orders?` },
    ]);
  });

  it("reports why a file cannot be read", async (t) => {
    const { folder, context } = await openSourceHarness(t);
    const garbage = join(folder, "garbage.db");
    await writeFile(garbage, "this is not a database".repeat(1000));
    const firstSentence = async (path: string) =>
      (await (await openSqliteSource({ path }, context)).check(["x"]))[0]?.sentence;
    assert.match((await firstSentence(garbage)) ?? "", /garbage\.db: it is not a SQLite database/);
    assert.match((await firstSentence(join(folder, "none.db"))) ?? "", /none\.db: there is no such file/);
    await assert.rejects(
      openSqliteSource({}, context),
      new DataProblem("connection.config.path: it is required."),
    );
    await assert.rejects(openSqliteSource({ paht: "x" }, context), /Did you mean "path"/);
  });

  it("waits for a writer that has locked the file, and reports a damaged page", async (t) => {
    const { source, read, path, database } = await openShop(
      t,
      `PRAGMA page_size = 4096; CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT);
       WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 200)
       INSERT INTO t SELECT value, hex(randomblob(500)) FROM numbers;`,
    );
    database.exec("BEGIN EXCLUSIVE");
    const { signal } = new AbortController();
    const busy = read(source, "t", { signal });
    await new Promise((resolve) => setImmediate(resolve));
    database.exec("COMMIT");
    assert.equal((await busy).rows.length, 200);
    database.close();
    const file = await open(path, "r+");
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, 20 * 4096);
    await file.close();
    await assert.rejects(read(source, "t"), /shop\.db: it is damaged/);
    database.open();
  });

  it("runs no function with side effects and loads no extension", async (t) => {
    const { source, read, folder } = await openShop(
      t,
      `CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO t VALUES (1, 'a');
       CREATE VIEW fine AS SELECT upper(note) AS note, json_extract('{"a":2}', '$.a') AS a FROM t;
       CREATE VIEW extension AS SELECT load_extension('/tmp/evil.so') AS x;
       CREATE VIEW tokenizer AS SELECT fts3_tokenizer('simple') AS x;`,
    );
    assert.deepEqual((await read(source, "fine")).rows, [["A", "2"]]);
    for (const view of ["extension", "tokenizer"]) {
      await assert.rejects(read(source, view), DataProblem);
    }
    const database = openForeignSqlite(join(folder, "shop.db"), { readOnly: false, timeout: 0 });
    t.after(() => database.close());
    assert.throws(() => database.exec(`ATTACH '${folder}/other.db' AS other`), /too many attached databases/);
    assert.throws(() => database.exec(`VACUUM INTO '${folder}/copy.db'`), /too many attached databases/);
    assert.throws(() => database.loadExtension("/tmp/evil.so"), /extension loading is not allowed/);
    assert.throws(() => database.exec("UPDATE sqlite_schema SET sql = ''"), /may not be modified/);
  });

  it("a declared type that is a statement is read as text", async (t) => {
    const declared = "STRUCT(a INTEGER)); DROP TABLE x; SELECT CAST(1 AS INTEGER[]";
    const { source, read } = await openShop(
      t,
      `CREATE TABLE t (a "${declared}", b "TEXT_DECIMAL(1,0)) , (SELECT 1", c "STRUCT(a INTEGER)");
       INSERT INTO t VALUES ('x', 'y', '{"a":1}')`,
    );
    const { types, rows } = await read(source, "t");
    assert.deepEqual(types, ["VARCHAR", "VARCHAR", "STRUCT(a INTEGER)"]);
    assert.deepEqual(rows, [["x", "y", { a: 1 }]]);
  });

  it("is not opened if its log is a link or its journal names another file", async (t) => {
    const { source, path, folder } = await openShop(t, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    const other = join(folder, "other");
    await writeFile(other, "kept");
    for (const end of ["-wal", "-shm", "-journal"]) {
      await symlink(other, path + end);
      await assert.rejects(source.discover(), new RegExp(`${end} is not a regular file`));
      await rm(path + end);
    }
    const name = Buffer.from(other);
    const journal = Buffer.concat([
      Buffer.alloc(512),
      name,
      Buffer.alloc(8),
      Buffer.from("d9d505f920a163d7", "hex"),
    ]);
    await writeFile(`${path}-journal`, journal);
    await assert.rejects(source.discover(), /its journal names another file/);
    assert.equal(await readFile(other, "utf8"), "kept");
    await rm(`${path}-journal`);
    assert.equal((await source.discover()).length, 1);
  });

  it("an aborted read stops", async (t) => {
    const { source, read } = await openShop(
      t,
      `CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;`,
    );
    const controller = new AbortController();
    const pending = read(source, "endless", { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("cancelled by the test")), 50);
    await assert.rejects(pending, /cancelled by the test/);
  });
});

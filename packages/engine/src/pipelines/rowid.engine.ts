/**
 * Streams rely on these properties (docs/decisions/0020): in a table that is only appended to, DuckDB's rowid grows in
 * commit order, is never reused, and stays with its row. A reader that reads no further than `lastRow` sees whole
 * transactions.
 */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { seededRandom } from "../testing/seeded-random.ts";
import { Warehouse } from "../warehouse/warehouse.ts";

const name = { catalog: "shop", schema: "sales", table: "events" };
const options = { memoryMb: 256, threads: 2 };

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-rowid-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openEvents(folder: string): Promise<Warehouse> {
  const warehouse = await Warehouse.open({ folder, ...options });
  await warehouse.createSchema(name);
  await run(
    warehouse,
    "CREATE TABLE IF NOT EXISTS shop.sales.events (writer INTEGER, batch INTEGER, text VARCHAR)",
  );
  return warehouse;
}

async function run(warehouse: Warehouse, sql: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await warehouse.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}

/** Batches from one row to more than a row group, with checkpoints in between. Every fifth batch is rolled back. */
async function append(warehouse: Warehouse, writer: number, batches: number): Promise<number> {
  const random = seededRandom(writer);
  const connection = await warehouse.connect();
  let committed = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = random.below(8) === 0 ? 130_000 + random.below(50_000) : 1 + random.below(3000);
    await connection.run("BEGIN");
    await connection.run(
      `INSERT INTO shop.sales.events (writer, batch, text) SELECT ${writer}, ${batch}, repeat('x', (range % 20)::INTEGER) FROM range(${rows})`,
    );
    const isRolledBack = batch % 5 === 4;
    await (isRolledBack ? connection.run("ROLLBACK") : warehouse.commit(connection));
    if (!isRolledBack) committed += rows;
    // CHECKPOINT fails while another transaction is open.
    if (random.below(10) === 0) await run(warehouse, "CHECKPOINT shop").catch(() => {});
  }
  connection.closeSync();
  return committed;
}

const fingerprint = "SELECT count(*), sum(hash(rowid, writer, batch, text)) FROM shop.sales.events";

test("a reader that continues after the last row reads each row of parallel writers once", async (t) => {
  const warehouse = await openEvents(await folderOf(t));
  t.after(() => warehouse.close());
  let isWriting = true;
  let [rowsRead, last, gaps] = [0, -1, 0];
  const reader = (async () => {
    const connection = await warehouse.connect();
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting;
      await connection.run("BEGIN");
      const end = await warehouse.lastRow(connection, name, last + 1);
      const counted = await connection.runAndReadAll(
        `SELECT count(*), min(rowid), max(rowid) FROM shop.sales.events WHERE rowid > ${last} AND rowid <= ${end}`,
      );
      await connection.run("COMMIT");
      if (end <= last) continue;
      const [count, first, found] = (counted.getRowsJson()[0] ?? []).map(Number) as [number, number, number];
      if (first !== last + 1 || found !== end || end - first + 1 !== count) gaps += 1;
      rowsRead += count;
      last = end;
    }
    connection.closeSync();
  })();
  const committed = await Promise.all([1, 2, 3, 4].map((writer) => append(warehouse, writer, 30)));
  isWriting = false;
  await reader;
  assert.equal(gaps, 0, "no row was committed below a row that had been read");
  assert.equal(
    rowsRead,
    committed.reduce((sum, rows) => sum + rows, 0),
  );
});

test("a row keeps its rowid over checkpoints, new columns, restarts and a crash", async (t) => {
  const folder = await folderOf(t);
  const warehouse = await openEvents(folder);
  await Promise.all([1, 2].map((writer) => append(warehouse, writer, 12)));
  const before = await run(warehouse, fingerprint);
  await run(warehouse, "CHECKPOINT shop");
  assert.deepEqual(await run(warehouse, fingerprint), before, "a checkpoint");
  await append(warehouse, 3, 12);
  await run(warehouse, "ALTER TABLE shop.sales.events ADD COLUMN note VARCHAR");
  await append(warehouse, 4, 3);
  const later = await run(warehouse, fingerprint);

  // A killed process leaves the file and its write-ahead log as they are now.
  const crashed = await folderOf(t);
  for (const file of await readdir(folder)) {
    if (file.startsWith("shop.duckdb")) await copyFile(join(folder, file), join(crashed, file));
  }
  const recovered = await Warehouse.open({ folder: crashed, ...options });
  assert.deepEqual(await run(recovered, fingerprint), later, "a crash");
  recovered.close();

  warehouse.close();
  const reopened = await Warehouse.open({ folder, ...options });
  t.after(() => reopened.close());
  assert.deepEqual(await run(reopened, fingerprint), later, "a restart");
});

test("after a deletion, rows do not keep their rowids, so a rewrite ends a stream", async (t) => {
  const folder = await folderOf(t);
  const warehouse = await openEvents(folder);
  await run(warehouse, "INSERT INTO shop.sales.events SELECT 1, range, 'x' FROM range(500_000)");
  await run(warehouse, "CHECKPOINT shop");
  await run(warehouse, "DELETE FROM shop.sales.events WHERE batch < 400_000");
  await run(warehouse, "CHECKPOINT shop");
  warehouse.close();
  const reopened = await Warehouse.open({ folder, ...options });
  t.after(() => reopened.close());
  assert.notDeepEqual(await run(reopened, "SELECT min(rowid) FROM shop.sales.events"), [["400000"]]);
});

test("a warehouse of an earlier release gets the columns for rewrites", async (t) => {
  const folder = await folderOf(t);
  const old = await openEvents(folder);
  for (const column of ["rewritten", "recreated"])
    await run(old, `ALTER TABLE shop._lakehelm.versions DROP COLUMN ${column}`);
  await run(
    old,
    "INSERT INTO shop._lakehelm.versions VALUES ('sales', 'events', 7, TIMESTAMPTZ '2026-01-02 00:00:00+00')",
  );
  old.close();
  const warehouse = await Warehouse.open({ folder, ...options });
  t.after(() => warehouse.close());
  const versions = () =>
    run(warehouse, "SELECT version, rewritten, coalesce(recreated, 0) FROM shop._lakehelm.versions");
  assert.deepEqual(await versions(), [["7", "7", "0"]]);
  const connection = await warehouse.connect();
  await warehouse.recordChange(connection, name, "2026-01-02T00:00:00Z", "added");
  assert.deepEqual(await versions(), [["8", "7", "0"]]);
  await warehouse.recordChange(connection, name, "2026-01-02T00:00:00Z", "rewritten");
  assert.deepEqual(await versions(), [["9", "9", "0"]]);
  await warehouse.recordChange(connection, name, "2026-01-02T00:00:00Z", "recreated");
  assert.deepEqual(await versions(), [["10", "10", "10"]]);
  connection.closeSync();
});

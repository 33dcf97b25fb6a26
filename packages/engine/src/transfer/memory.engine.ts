import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { freshSchema } from "../connectors/postgresql/testing/schema.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { startTransferHarness, type TransferHarness } from "../testing/transfer-harness.ts";
import { memoryProblem, OutOfMemory } from "../warehouse/memory-problem.ts";
import { sqlName } from "../warehouse/names.ts";
import { compareRows } from "./comparison.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";
import { preview } from "./preview.ts";

const memoryMb = 32;
/** DuckDB needs some memory for each thread. */
const small = { memoryMb, threads: 1, limits: { spillMb: 4096 } };
const textColumns = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const rowBytes = textColumns.length * 100;
const rowsOf = (times: number) => (times * memoryMb * 1_000_000) / rowBytes;

/** Rows of 1,000 bytes. Only `version` changes. */
const orders = (rows: number, version: string) =>
  `SELECT n::BIGINT AS id, ${textColumns.map((name, at) => `rpad((n % ${at + 90})::VARCHAR, 100, 'text ') AS ${name}`).join(", ")}, (${version})::INTEGER AS version FROM range(${rows}) r(n)`;

async function writeSource(harness: TransferHarness, select: string): Promise<void> {
  const path = join(harness.folder, "shop.duckdb");
  await rm(path, { force: true });
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE orders AS ${select}`);
  connection.closeSync();
  instance.closeSync();
}

/** An endpoint that counts what it gets. */
async function countRecords(t: TestContext) {
  let received = 0;
  const server = createServer(async (request, response) => {
    received += (JSON.parse(await text(request)) as { records: unknown[] }).records.length;
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  t.after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    received: () => received,
  };
}

const table = { catalog: "main", schema: "default", table: "orders" };

suite("Transfers of more rows than fit into memory", () => {
  for (const times of [1, 10, 50]) {
    const options = times > 1 ? onlyNightly : {};
    test(`an import without a watermark of ${times} times the memory limit`, options, async (t) => {
      const harness = await startTransferHarness(t, small);
      const rows = rowsOf(times);
      const connection = { type: "duckdb", config: { path: join(harness.folder, "shop.duckdb") } } as const;
      const request = () => harness.request({ watermark: null, deletes: true }, { connection });
      await writeSource(harness, orders(rows, "0"));
      assert.equal((await ingest(request(), harness.context)).inserted, rows);
      const again = await ingest(request(), harness.context);
      assert.deepEqual([again.read, again.inserted, again.updated, again.deleted], [rows, 0, 0, 0]);
      // Every fourth row changes, and half of the rows of the last quarter are deleted.
      await writeSource(
        harness,
        `FROM (${orders(rows, "n % 4 = 0")}) WHERE id < ${rows * 0.75} OR id % 2 = 0`,
      );
      const expected = { insert: 0, update: rows / 4, delete: rows / 8, unchanged: rows * 0.625 };
      const { insert, update, delete: deleted, unchanged } = await preview(request(), harness.context);
      assert.deepEqual({ insert, update, delete: deleted, unchanged }, expected);
      const changed = await ingest(request(), harness.context);
      assert.deepEqual([changed.updated, changed.deleted], [expected.update, expected.delete]);
      assert.deepEqual(await harness.rows(`SELECT count(*)::INT, sum(version)::INT FROM ${sqlName(table)}`), [
        [rows * 0.875, rows / 4],
      ]);
    });
  }

  for (const times of [1, 10, 50]) {
    const options = times > 1 ? onlyNightly : {};
    test(`an export without a watermark of ${times} times the memory limit`, options, async (t) => {
      const harness = await startTransferHarness(t, small);
      const rows = rowsOf(times);
      const connection = { type: "duckdb", config: { path: join(harness.folder, "crm.duckdb") } } as const;
      const request = (dataset: Partial<Dataset> = {}) =>
        harness.request({ watermark: null, deletes: true, ...dataset }, { connection, direction: "out" });
      const append = { id: "lines", target: "lines", strategy: "append", keys: [], deletes: false } as const;
      const fill = async (select: string) => {
        const own = await harness.warehouse.connect();
        await own.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS ${select}`);
        own.closeSync();
      };
      await harness.warehouse.createSchema(table);
      await fill(orders(rows, "0"));
      const datasets = times === 1 ? [{}, append] : [{}];
      for (const dataset of datasets) {
        assert.equal((await deliver(request(dataset), harness.context)).inserted, rows);
        const again = await deliver(request(dataset), harness.context);
        assert.deepEqual([again.read, again.inserted, again.updated, again.deleted], [0, 0, 0, 0]);
      }
      await fill(`FROM (${orders(rows, "n % 4 = 0")}) WHERE id < ${rows * 0.75} OR id % 2 = 0`);
      const expected = { insert: 0, update: rows / 4, delete: rows / 8, unchanged: rows * 0.625 };
      const { insert, update, delete: deleted, unchanged } = await preview(request(), harness.context);
      assert.deepEqual({ insert, update, delete: deleted, unchanged }, expected);
      const changed = await deliver(request(), harness.context);
      assert.deepEqual([changed.updated, changed.deleted], [expected.update, expected.delete]);
      if (times === 1) assert.equal((await deliver(request(append), harness.context)).inserted, rows / 4);
    });
  }

  for (const strategy of ["upsert", "append"] as const) {
    test(
      `rows for an endpoint that are too long to be sorted as a whole: ${strategy}`,
      onlyNightly,
      async (t) => {
        const harness = await startTransferHarness(t, { ...small, memoryMb: 64 });
        const rows = 64_000_000 / rowBytes;
        const endpoint = await countRecords(t);
        const request = () =>
          harness.request(
            { watermark: null, strategy, keys: strategy === "upsert" ? ["id"] : [] },
            {
              connection: { type: "http", config: { url: endpoint.url, batch_size: 5000 } },
              direction: "out",
            },
          );
        await harness.warehouse.createSchema(table);
        await harness.rows(`CREATE TABLE ${sqlName(table)} AS ${orders(rows, "0")}`);
        assert.equal((await deliver(request(), harness.context)).inserted, rows);
        assert.equal(endpoint.received(), rows);
        assert.equal((await deliver(request(), harness.context)).inserted, 0);
      },
    );
  }

  test("a key that occurs twice among more keys than are counted at once is found", async (t) => {
    const harness = await startTransferHarness(t, small);
    const connection = { type: "duckdb", config: { path: join(harness.folder, "shop.duckdb") } } as const;
    const rows = 400_000;
    const keys = `SELECT n::BIGINT AS id, 0 AS version FROM range(${rows}) r(n)`;
    await writeSource(harness, `${keys} UNION ALL SELECT ${rows - 7}, 1`);
    const request = harness.request({ watermark: "version" }, { connection });
    assert.equal((await ingest(request, harness.context)).inserted, rows);
    assert.deepEqual(await harness.rows(`SELECT count(*)::INT, sum(version)::INT FROM ${sqlName(table)}`), [
      [rows, 1],
    ]);
  });

  for (const strategy of ["upsert", "append"] as const) {
    const options = strategy === "append" ? onlyNightly : {};
    test(`a comparison of 50 times the memory limit: ${strategy}`, options, async (t) => {
      const harness = await startTransferHarness(t, small);
      await harness.warehouse.createSchema(table);
      const connection = await harness.warehouse.connect();
      t.after(() => connection.closeSync());
      const rows = rowsOf(50);
      await connection.run(`CREATE TABLE ${sqlName(table)} AS ${orders(rows, "0")}`);
      const types = await connection.runAndReadAll(`DESCRIBE ${sqlName(table)}`);
      const counts = await compareRows(connection, {
        rows: sqlName(table),
        existing: `(SELECT * REPLACE (CASE WHEN id % 1000 = 0 THEN 'x' ELSE j END AS j) FROM ${sqlName(table)} WHERE id % 1000 <> 1)`,
        columns: types.getRowsJson().map(([name, type]) => ({
          name: String(name),
          type: String(type),
          origin: String(type),
        })),
        keys: strategy === "upsert" ? ["id"] : [],
        strategy,
        watermark: undefined,
        since: null,
        overlap: undefined,
        isOfNewFiles: false,
        sourceKeys: undefined,
      });
      const update = strategy === "upsert" ? rows / 1000 : 0;
      const insert = rows / 500 - update;
      assert.deepEqual(counts, { insert, update, delete: 0, unchanged: rows - rows / 500 });
    });
  }

  test("a table of 2,000 columns works with 512 MB, and an error about less memory names it", async (t) => {
    const wide = (harness: TransferHarness) => {
      const database = new DatabaseSync(join(harness.folder, "shop.db"));
      const columns = Array.from(
        { length: 1_999 },
        (_, at) => `c${at} ${at % 2 ? "integer" : "decimal(10,2)"}`,
      );
      database.exec(`create table orders (id integer primary key, ${columns.join(", ")})`);
      database.exec(`insert into orders (id, c0, c1998) values (1, 1, 2), (2, 3, 4), (3, 5, 6)`);
      database.close();
    };
    const enough = await startTransferHarness(t, { memoryMb: 512 });
    wide(enough);
    const run = () => ingest(enough.request({ watermark: null, deletes: true }), enough.context);
    assert.equal((await run()).inserted, 3);
    const again = await run();
    assert.deepEqual([again.read, again.inserted, again.updated, again.deleted], [3, 0, 0, 0]);
    const little = await startTransferHarness(t, { memoryMb: 64 });
    wide(little);
    await assert.rejects(
      ingest(little.request({ watermark: null }), little.context),
      (error) =>
        memoryProblem(error, error instanceof OutOfMemory ? error.subject : "", 64) ===
        "The transfer of orders, which has 2000 columns, needs more memory than its limit of 64 MB. PLATFORM_WAREHOUSE_MEMORY_MB sets the limit.",
    );
  });

  test("a table of 1,600 columns in PostgreSQL is compared with 512 MB", onlyNightly, async (t) => {
    const harness = await startTransferHarness(t, { memoryMb: 512 });
    const { client, connection, drop } = await freshSchema();
    t.after(drop);
    const columns = Array.from(
      { length: 1_599 },
      (_, at) => `c${at} ${at % 2 ? "integer" : "numeric(10,2)"}`,
    );
    await client.query(`create table orders (id integer primary key, ${columns.join(", ")})`);
    await client.query("insert into orders (id, c0, c1598) select n, n, n from generate_series(1, 3) n");
    const run = () =>
      ingest(harness.request({ watermark: null, deletes: true }, { connection }), harness.context);
    assert.equal((await run()).inserted, 3);
    await client.query("update orders set c1598 = 0 where id = 2");
    const again = await run();
    assert.deepEqual([again.read, again.inserted, again.updated, again.deleted], [3, 0, 1, 0]);
  });

  test("a value of 60 MB is read, compared and written with 256 MB", async (t) => {
    const harness = await startTransferHarness(t, { memoryMb: 256 });
    const database = new DatabaseSync(join(harness.folder, "shop.db"));
    t.after(() => database.close());
    database.exec("create table orders (id integer primary key, document text)");
    const fill = (letter: string) =>
      database.prepare("insert or replace into orders values (1, ?)").run(letter.repeat(60_000_000));
    const run = () => ingest(harness.request({ watermark: null, deletes: true }), harness.context);
    fill("x");
    assert.equal((await run()).inserted, 1);
    const same = await run();
    assert.deepEqual([same.read, same.inserted, same.updated], [1, 0, 0]);
    fill("y");
    assert.equal((await run()).updated, 1);
    const found = await harness.rows(`SELECT length(document)::INT, document[1] FROM ${sqlName(table)}`);
    assert.deepEqual(found, [[60_000_000, "y"]]);
  });

  test("an append compares how often a row occurs, NULL and the types of the table", async (t) => {
    const harness = await startTransferHarness(t);
    const connection = await harness.warehouse.connect();
    t.after(() => connection.closeSync());
    await connection.run(
      `CREATE TEMP TABLE before AS SELECT * FROM (VALUES (1::BIGINT, 'x', '{"a": 1}'::JSON), (1, 'x', '{"a": 1}'), (2, NULL, NULL)) v(id, name, doc)`,
    );
    await connection.run(
      `CREATE TEMP TABLE after AS SELECT * FROM (VALUES (1::INTEGER, 'x', '{"a":1}'::JSON), (1, 'x', '{"a":1}'), (1, 'x', '{"a":1}'), (2, NULL, NULL), (2, '', NULL)) v(id, name, doc)`,
    );
    const columns = ["INTEGER id", "VARCHAR name", "JSON doc"].map((text) => {
      const [type = "", name = ""] = text.split(" ");
      return { name, type, origin: type };
    });
    const comparison = {
      rows: "after",
      existing: "before",
      columns,
      watermark: undefined,
      since: null,
    } as const;
    await compareRows(connection, {
      ...comparison,
      ...{ keys: [], strategy: "append", overlap: undefined, isOfNewFiles: false, sourceKeys: undefined },
    });
    const changed = await connection.runAndReadAll("SELECT id, name FROM changes ORDER BY ALL");
    assert.deepEqual(changed.getRowsJson(), [
      ["1", "x"],
      ["2", ""],
    ]);
  });
});

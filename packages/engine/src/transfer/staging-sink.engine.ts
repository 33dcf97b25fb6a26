import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { DuckDBConnection } from "@duckdb/node-api";
import { until } from "@lakehelm/testing/until";
import { DataProblem } from "../protocol/problem.ts";
import { type SyntheticRows, textOf } from "../testing/synthetic-rows.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { createStagingSink } from "./staging-sink.ts";

const thread = new URL("../testing/synthetic-rows-thread.ts", import.meta.url);
const columns = [
  { name: "n", type: "BIGINT", origin: "number" },
  { name: "even", type: "BOOLEAN", origin: "boolean" },
  { name: "third", type: "DOUBLE", origin: "number" },
  { name: "note", type: "VARCHAR", origin: "text" },
  { name: "doc", type: "JSON", origin: "json" },
  { name: "raw", type: "BLOB", origin: "bytes" },
];

describe("the staging sink", () => {
  let folder: string;
  let warehouse: Warehouse;
  let connection: DuckDBConnection;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-sink-"));
    warehouse = await Warehouse.open({ folder, memoryMb: 128, threads: 2 });
    await warehouse.attach("shop");
    connection = await warehouse.connect();
  });
  after(async () => {
    connection.closeSync();
    warehouse.close();
    await rm(folder, { recursive: true });
  });

  async function inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await connection.run("BEGIN");
    try {
      const declared = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
      await connection.run(`CREATE TABLE shop.main.t (${declared})`);
      return await work();
    } finally {
      await connection.run("ROLLBACK");
    }
  }

  const createSink = (signal = new AbortController().signal, onProgress = (_: { rows: number }) => {}) =>
    createStagingSink({ warehouse, connection, table: "shop.main.t", columns, signal, onProgress });
  const counting = (counts: Partial<SyntheticRows>): SyntheticRows => ({
    count: 5000,
    ending: "end",
    ...counts,
  });
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();

  it("inserts every row of a thread unchanged", async () => {
    await inTransaction(async () => {
      const sink = createSink();
      await sink.fromThread(thread, counting({ count: 100_000 }));
      assert.equal(sink.rows, 100_000);
      assert.deepEqual(
        await rows("SELECT count(*), sum(n), count(*) FILTER (note IS NULL) FROM shop.main.t"),
        [["100000", "4999950000", "14286"]],
      );
      const wrong = `third != n / 3 OR even IS DISTINCT FROM if(n % 5 = 0, NULL, n % 2 = 0) OR (doc->>'n') != n::VARCHAR
        OR raw != unhex(repeat('FF', 1 + n % 30))`;
      assert.deepEqual(await rows(`SELECT n FROM shop.main.t WHERE ${wrong}`), []);
      for (const [n, note] of await rows("SELECT n, note FROM shop.main.t WHERE note IS NOT NULL")) {
        assert.ok(note === textOf(Number(n)), `row ${n}`);
      }
    });
  });

  it("collects the first rejects of a thread, and counts all of them", async () => {
    await inTransaction(async () => {
      const sink = createSink();
      await sink.fromThread(thread, counting({ count: 3000 }));
      assert.deepEqual(sink.rejects, [
        { reason: "7 is rejected", row: { n: 7 } },
        { reason: "1007 is rejected", row: { n: 1007 } },
        { reason: "2007 is rejected", row: { n: 2007 } },
      ]);
      assert.equal(sink.rejected, 3);
      const many = createSink();
      await many.fromThread(thread, counting({ count: 8, rejects: 10_050 }));
      assert.deepEqual([many.rejects.length, many.rejected], [10_000, 10_051]);
    });
  });

  it("no statement runs while a slow source sends no rows", async (t) => {
    await inTransaction(async () => {
      const { mock } = t.mock.method(connection, "run");
      // 40,000 rows are 20 batches, more than half of the ring. Then the source pauses longer than a statement waits.
      await createSink().fromThread(thread, counting({ count: 45_000, pauseAt: 40_000, pauseMs: 300 }));
      const inserts = mock.calls.filter(({ arguments: [sql] }) => String(sql).startsWith("INSERT"));
      assert.ok(inserts.length > 1);
      assert.deepEqual(await rows("SELECT count(*), count(DISTINCT n) FROM shop.main.t"), [
        ["45000", "45000"],
      ]);
    });
  });

  it("throws the error of the thread, retryable or not", async () => {
    await inTransaction(async () => {
      await assert.rejects(
        createSink().fromThread(thread, counting({ ending: "fail" })),
        (error) =>
          error instanceof DataProblem &&
          error.message === "The connection was closed." &&
          error.retryable === true,
      );
      await assert.rejects(
        createSink().fromThread(thread, counting({ ending: "break" })),
        (error) => error instanceof TypeError && !(error instanceof DataProblem),
      );
      await assert.rejects(
        createSink().fromThread(thread, counting({ ending: "leave" })),
        /ended before the end of the rows/,
      );
      await assert.rejects(
        createSink().fromThread(thread, counting({ ending: "exit" })),
        /exited before the end of the rows/,
      );
    });
  });

  it("a thread that has completed reads the next rows, and one that failed reads no others", async () => {
    await inTransaction(async () => {
      const threadOf = async (counts: Partial<SyntheticRows>) => {
        const sink = createSink();
        await sink.fromThread(thread, counting(counts)).catch(() => {});
        return sink.position;
      };
      const first = await threadOf({});
      assert.equal(await threadOf({ count: 10 }), first);
      assert.equal(await threadOf({ ending: "fail" }), first);
      assert.notEqual(await threadOf({}), first);
    });
  });

  it("an aborted read stops at once, with and without pending rows", async () => {
    for (const pauseAt of [40_000, 0]) {
      const controller = new AbortController();
      await inTransaction(async () => {
        const sink = createSink(controller.signal);
        const pending = sink.fromThread(thread, counting({ count: 10_000_000, pauseAt, pauseMs: 60_000 }));
        const stopped = assert.rejects(pending, /cancelled by the test/);
        if (pauseAt > 0) await until(() => sink.rows > 0);
        controller.abort(new Error("cancelled by the test"));
        await stopped;
      });
    }
    assert.deepEqual(await rows("SELECT count(*) FROM duckdb_tables() WHERE table_name = 't'"), [["0"]]);
  });

  it("inserts the rows of an external query, and removes its staging file", async () => {
    const file = join(folder, "rows.csv");
    await writeFile(file, 'n,note\n1,"a, b"\n2,\n');
    await inTransaction(async () => {
      const sink = createSink();
      const nothing = "NULL, NULL";
      await sink.fromQuery(
        { files: [file] },
        `SELECT n, ${nothing}, note, ${nothing} FROM read_csv('${file}') ORDER BY n`
          .replace("note", "prefix || note")
          .replace("FROM", "FROM prefix,"),
        { setup: ["CREATE TABLE prefix AS SELECT '>' AS prefix"] },
      );
      assert.equal(sink.rows, 2);
      assert.deepEqual(await rows("SELECT n, note FROM shop.main.t ORDER BY n"), [
        ["1", ">a, b"],
        ["2", null],
      ]);
    });
    assert.deepEqual(await readdir(warehouse.stagingFolder), []);
    assert.deepEqual(
      await rows("SELECT count(*) FROM duckdb_databases() WHERE database_name LIKE 'stage%'"),
      [["0"]],
    );
  });
});

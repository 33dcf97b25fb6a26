import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, suite, test } from "node:test";
import { freeze } from "@lakehelm/testing/freeze";
import { onlyNightly } from "@lakehelm/testing/nightly";
import {
  createEngine,
  DataProblem,
  type Engine,
  EngineLost,
  type EngineOptions,
  LimitExceeded,
  type QueryRequest,
  type TransferRequest,
} from "../index.ts";

const scope = { environment: "dev", catalog: "shop", schema: "sales" };
const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b";
const query = (sql: string, timeoutMs = 60_000): QueryRequest => ({
  ...{ scope, sql, dialect: "duckdb", skip: 0, limit: 10, timeoutMs, format: "json" },
});

const tables = ["a", "b", "c", "d", "e", "f"];

const scriptsOf = (engine: Engine) => (sql: string) =>
  engine.request("script", { scope, sql, parameters: {}, idempotencyKey: sql });

suite("limits of the engine's process", () => {
  let folder: string;
  let engines: Engine[];
  beforeEach(async () => {
    engines = [];
    folder = await mkdtemp(join(tmpdir(), "lakehelm-limits-"));
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  function start(options: Partial<EngineOptions>): Engine {
    const engine = createEngine({
      ...{ folder: join(folder, "warehouse"), memoryMb: 64, threads: 2, onLog: () => {} },
      ...options,
    });
    engines.push(engine);
    return engine;
  }

  const works = async (engine: Engine) =>
    assert.equal((await engine.request("query", query("SELECT 1"))).count, 1);

  test("deleted rows in many tables do not use up the memory of a warehouse", async () => {
    const engine = start({});
    const run = scriptsOf(engine);
    for (const table of tables) {
      await run(`CREATE TABLE ${table} (id BIGINT NOT NULL COMMENT 'counts') COMMENT 'kept'`);
      await run(`INSERT INTO ${table} SELECT id FROM range(2000000) r(id)`);
      await run(`DELETE FROM ${table} WHERE id % 1000 = 7`);
    }
    for (const table of tables) {
      const { rows } = await engine.request("query", query(`SELECT count(*), sum(id % 1000) FROM ${table}`));
      assert.equal(String(rows), "[[1998000,998986000]]");
    }
    await assert.rejects(run("INSERT INTO a VALUES (NULL)"), /NULL/i);
    const { tables: found } = await engine.request("catalog", { scope, catalog: "shop", schema: "sales" });
    const column = { name: "id", type: "BIGINT", nullable: false, comment: "counts", tags: {} };
    for (const { comment, columns } of found) assert.deepEqual([comment, columns], ["kept", [column]]);
    assert.equal(found.length, tables.length);
  });

  test("many small tables do not use up the memory of a warehouse, also if its process is killed", async () => {
    const engine = start({ memoryMb: 32 });
    const columns = Array.from({ length: 100 }, (_, at) => `1 AS c${at}`).join(", ");
    const count = 50;
    for (let at = 0; at < count; at++) await scriptsOf(engine)(`CREATE TABLE t${at} AS SELECT ${columns}`);
    process.kill(engine.pid ?? 0, "SIGKILL");
    const next = start({ memoryMb: 32 });
    await scriptsOf(next)("CREATE TABLE last AS SELECT 1 AS id");
    const { tables } = await next.request("catalog", { scope, catalog: "shop", schema: "sales" });
    assert.equal(tables.length, count + 1);
  });

  test(
    "a warehouse that DuckDB closed, because it could not save its changes, is opened again",
    onlyNightly,
    async () => {
      const large = start({ memoryMb: 1024 });
      for (const table of tables) {
        await scriptsOf(large)(`CREATE TABLE ${table} AS SELECT id FROM range(2000000) r(id)`);
        await scriptsOf(large)(`DELETE FROM ${table} WHERE id % 1000 = 7`);
      }
      await large.stop();
      const small = start({ memoryMb: 64 });
      const count = (table: string) => small.request("query", query(`SELECT count(*) FROM ${table}`));
      for (const table of tables) await count(table).catch(() => {});
      await assert.rejects(scriptsOf(small)("DELETE FROM f WHERE id % 1000 = 8"), /MEMORY_MB sets the limit/);
      assert.equal(String((await count("a")).rows), "[[1998000]]");
    },
  );

  test("a process that uses too much memory is ended, and the only request is the cause", async () => {
    const engine = start({ limits: { processMb: 20 } });
    await assert.rejects(engine.request("query", query(endless)), (error) => {
      assert.ok(error instanceof LimitExceeded);
      assert.equal(error.retryable, false);
      return true;
    });
    const lost = await Promise.all(
      [1, 2].map(() => engine.request("query", query(endless)).catch((error: unknown) => error)),
    );
    for (const error of lost) {
      assert.ok(error instanceof EngineLost);
      assert.deepEqual([error.retryable, error.ranOutOfMemory], [true, true]);
      assert.match(error.message, /used more than 25 MB of memory and was ended/);
    }
  });

  test("a transfer that needs more memory than its warehouse has names the setting", async () => {
    const path = join(folder, "shop.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, document TEXT)");
    database.prepare("INSERT INTO orders VALUES (1, ?)").run("x".repeat(60_000_000));
    database.close();
    const folders = { granted: [folder], dataFolder: join(folder, "warehouse") };
    const engine = start({ folders });
    const dataset = {
      ...{ id: "orders", source: "orders", target: "orders", keys: ["id"], strategy: "upsert" as const },
      ...{ watermark: null, leftOut: [], maxRejectShare: 1, deletes: false },
      ...{ onMissingColumn: "keep" as const, maxDeleteShare: 1 },
    };
    const request: TransferRequest = {
      ...{ scope, direction: "in", connector: "shop", dataset, run: "run-1", retryRejects: false },
      connection: { type: "sqlite", config: { path } },
    };
    for (const kind of ["transfer", "preview"] as const) {
      await assert.rejects(engine.request(kind, request), (error) => {
        assert.ok(error instanceof DataProblem && !error.retryable, String(error));
        assert.equal(
          error.message,
          'The transfer of orders, whose column "document" has very large values, needs more memory than its limit of 64 MB: it asked for 64.0 MiB at once. PLATFORM_WAREHOUSE_MEMORY_MB sets the limit.',
        );
        return true;
      });
    }
  });

  test("a process that does not react is ended, and its requests can be repeated", async () => {
    const engine = start({ limits: { silenceMs: 5_000 } });
    await works(engine);
    const first = engine.pid ?? 0;
    await freeze(first);
    await assert.rejects(engine.request("query", query("SELECT 1")), {
      message: /^The engine process did not react for 5 s and was ended/,
      retryable: true,
    });
    await works(engine);
    assert.notEqual(engine.pid, first);
  });

  test("a statement that needs more memory than there is fails alone", async () => {
    const engine = start({ limits: { processMb: 900 } });
    await works(engine);
    const { pid } = engine;
    const other = engine.request("query", query("SELECT count(*) FROM range(100000000)"));
    const greedy = "SELECT list(repeat('x', 900000 + range::INT)) FROM range(4096)";
    await assert.rejects(engine.request("query", query(greedy)), (error) => {
      assert.ok(error instanceof DataProblem && !(error instanceof EngineLost), String(error));
      return true;
    });
    assert.equal((await other).count, 1);
    assert.equal(engine.pid, pid);
  });

  test("a request that writes is refused at once while the disk is nearly full, and can be tried again", async () => {
    const engine = start({ limits: { diskReserveMb: 1e9 } });
    await works(engine);
    for (const kind of ["transfer", "capture", "flow", "pipeline", "script"] as const) {
      await assert.rejects(engine.request(kind, {} as never), (error) => {
        assert.ok(error instanceof DataProblem && error.retryable, kind);
        assert.match(
          error.message,
          /MB of free space, less than the 1000000000 MB.*PLATFORM_DISK_RESERVE_MB/,
        );
        return true;
      });
    }
    await works(engine);
  });

  test("a query that spills is stopped while the disk is nearly full, and others run", async () => {
    const engine = start({ limits: { diskReserveMb: 1e9, spillMb: 1_000 } });
    await works(engine);
    const sorted = "SELECT m FROM (SELECT md5(range::VARCHAR) AS m FROM range(20000000)) ORDER BY m";
    await assert.rejects(engine.request("query", query(sorted)), DataProblem);
    await works(engine);
  });

  test("spilled files are in the folder for them", async () => {
    const spillFolder = join(folder, "spill");
    const engine = start({ limits: { spillFolder } });
    const sorted = "SELECT m FROM (SELECT md5(range::VARCHAR) AS m FROM range(3000000)) ORDER BY m";
    const { count } = await engine.request("query", query(sorted));
    assert.equal(count, 10);
  });
});

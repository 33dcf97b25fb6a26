import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, test } from "node:test";
import { freeze } from "@lakehelm/testing/freeze";
import { until } from "@lakehelm/testing/until";
import {
  createEngine,
  DataProblem,
  type Engine,
  EngineLost,
  type EngineOptions,
  LimitExceeded,
  type QueryRequest,
} from "../index.ts";
import { Warehouse } from "../warehouse/warehouse.ts";

const scope = { environment: "dev", catalog: "shop", schema: "sales" };
const endless =
  "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b, range(1000000) AS c WHERE a.range < b.range + c.range";

// With compiled modules in the cache, a process starts in half the time.
enableCompileCache();

let scratch: string;
let folder: string;
let engines: Engine[];

beforeEach(async () => {
  engines = [];
  scratch = await mkdtemp(join(tmpdir(), "lakehelm-engine-"));
  folder = join(scratch, "warehouse");
  const warehouse = await Warehouse.open({ folder: join(folder, "dev"), memoryMb: 64, threads: 1 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "orders" });
  const connection = await warehouse.connect();
  await connection.run("CREATE TABLE shop.sales.orders AS SELECT range AS id FROM range(3)");
  connection.closeSync();
  warehouse.close();
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  await rm(scratch, { recursive: true, force: true });
});

function start(options: Partial<EngineOptions> = {}): Engine {
  const engine = createEngine({ folder, memoryMb: 64, threads: 2, onLog: () => {}, ...options });
  engines.push(engine);
  return engine;
}

const query = (sql: string, how: Partial<QueryRequest> = {}): QueryRequest => ({
  scope,
  sql,
  dialect: "duckdb",
  skip: 0,
  limit: 10,
  timeoutMs: 60_000,
  format: "count",
  ...how,
});

const orders = query("SELECT * FROM orders");

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test("the process starts with the first request, at a lower priority and without the server's secrets", async () => {
  process.env.LAKEHELM_TEST_SECRET = "hush";
  const engine = start();
  assert.equal(engine.pid, undefined);
  assert.equal(await engine.memory(), 0);
  assert.equal((await engine.request("query", orders)).value, 3);
  delete process.env.LAKEHELM_TEST_SECRET;
  const pid = engine.pid ?? 0;
  assert.ok(getPriority(pid) > getPriority());
  assert.ok((await engine.memory()) > 10_000_000);
  if (process.platform === "linux")
    assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, "utf8"), /hush/);
});

test("when the process is killed, pending requests fail as retryable and committed changes are kept", async () => {
  const engine = start();
  const { changed } = await engine.request("metadata", {
    ...{ scope, catalog: "shop", schema: "sales", table: "orders", columns: [] },
    comment: "kept",
  });
  assert.equal(changed, true);
  const waiting = engine.request("query", query(endless));
  const first = engine.pid ?? 0;
  process.kill(first, "SIGKILL");
  const error = await waiting.catch((thrown) => thrown);
  assert.ok(error instanceof EngineLost);
  assert.equal(error.retryable, true);
  assert.match(error.message, /SIGKILL/);
  const { tables } = await engine.request("catalog", { scope });
  assert.deepEqual([tables[0]?.comment, tables[0]?.rows], ["kept", 3]);
  assert.notEqual(engine.pid, first);
});

test("the process survives cancelled queries, timeouts, queries beyond the memory limit and SQL errors", async () => {
  const engine = start();
  await engine.request("query", orders);
  const { pid } = engine;

  const stopper = new AbortController();
  const cancelled = engine.request("query", query(endless), { signal: stopper.signal });
  stopper.abort(new Error("enough"));
  await assert.rejects(cancelled, { message: "enough" });

  await assert.rejects(engine.request("query", query(endless), { timeoutMs: 100 }), {
    message: "The request was stopped after 0.1 s.",
  });
  await assert.rejects(engine.request("query", query(endless, { timeoutMs: 100 })), {
    message: "The query was stopped after its time limit of 0.1 s.",
  });

  const greedy = query("SELECT len(list(range || 'some text that needs memory')) FROM range(5000000)");
  await assert.rejects(engine.request("query", greedy), {
    message:
      "The query needs more memory than its limit of 64 MB. PLATFORM_WAREHOUSE_MEMORY_MB sets the limit.",
  });

  // The position of a problem reaches the server.
  const mistake = await engine.request("query", query("SELECT\n nope FROM orders")).catch((thrown) => thrown);
  assert.ok(mistake instanceof DataProblem);
  assert.deepEqual([mistake.retryable, mistake.position], [false, { line: 2, column: 2 }]);

  assert.equal((await engine.request("query", orders)).value, 3);
  assert.equal(engine.pid, pid);
});

test("the time limit of a request begins when the process has started", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stopped = Promise.withResolvers<number>();
  const engine = start({
    async onStart(pid) {
      process.kill(pid, "SIGSTOP");
      stopped.resolve(pid);
    },
  });
  const answer = engine.request("query", orders, { timeoutMs: 1_000 });
  const pid = await stopped.promise;
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  process.kill(pid, "SIGCONT");
  assert.equal((await answer).value, 3);
});

test("a process that does not cancel a request within the grace period is killed and replaced", async () => {
  const engine = start({ graceMs: 50 });
  await engine.request("query", orders);
  const first = engine.pid ?? 0;
  await freeze(first);
  const overdue = engine.request("query", { ...orders, timeoutMs: 10 });
  await assert.rejects(engine.request("query", orders, { timeoutMs: 2_000 }), EngineLost);
  await assert.rejects(overdue, LimitExceeded);
  assert.equal((await engine.request("query", orders)).value, 3);
  assert.notEqual(engine.pid, first);
});

test("a second process fails while the first holds the lock, or waits up to lockWaitMs for it", async () => {
  const first = start();
  await first.request("query", orders);
  const refused = await start({ lockWaitMs: 0 })
    .request("query", orders)
    .catch((thrown) => thrown);
  assert.ok(refused instanceof DataProblem);
  assert.equal(refused.message, "Another process has the warehouse of this environment open.");
  assert.equal(refused.retryable, true);
  const waiting = start({ lockWaitMs: 30_000 }).request("query", orders);
  await first.stop();
  assert.equal((await waiting).value, 3);
});

test("a process that is killed before it responds is started again", async () => {
  const engine = start();
  for (let round = 0; round < 2; round += 1) {
    const response = engine.request("query", orders);
    await until(() => engine.pid !== undefined);
    process.kill(engine.pid ?? 0, "SIGKILL");
    await assert.rejects(response, EngineLost);
  }
  assert.equal((await engine.request("query", orders)).value, 3);
});

test("each process kills itself at its crash point, and the process after the last one completes the transfer", async () => {
  const file = join(scratch, "source.db");
  const source = new DatabaseSync(file);
  source.exec("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)");
  source.close();
  const engine = start({
    faults: ["staged", "recorded"],
    folders: { granted: [scratch], dataFolder: join(scratch, "data") },
  });
  const transfer = (run: string) =>
    engine.request("transfer", {
      scope,
      direction: "in",
      connector: "c",
      connection: { type: "sqlite", config: { path: file } },
      dataset: {
        ...{ id: "d", source: "t", target: "t", keys: ["id"], strategy: "upsert", watermark: null },
        ...({
          leftOut: [],
          maxRejectShare: 0,
          deletes: false,
          maxDeleteShare: 0.5,
          onMissingColumn: "keep",
        } as const),
      },
      run,
      retryRejects: false,
    });
  const count = () => engine.request("query", query("SELECT * FROM t"));
  await assert.rejects(transfer("1"), EngineLost);
  await assert.rejects(count(), /there is no table "shop.sales.t"/);
  // The crash point of the second process comes after the rows are committed.
  await assert.rejects(transfer("2"), EngineLost);
  assert.equal((await count()).value, 2);
  assert.deepEqual((await transfer("3")).changed, []);
});

test("stop checkpoints the write-ahead logs, ends the process and rejects later requests", async () => {
  const engine = start();
  const change = { scope, catalog: "shop", schema: "sales", table: "orders", columns: [], comment: "x" };
  await engine.request("metadata", change);
  const pid = engine.pid ?? 0;
  const waiting = assert.rejects(engine.request("query", query(endless)), EngineLost);
  await engine.stop();
  await waiting;
  assert.ok(isGone(pid));
  const files = await readdir(join(folder, "dev"));
  assert.deepEqual(
    files.filter((name) => name.endsWith(".wal")),
    [],
  );
  await assert.rejects(engine.request("query", orders), { message: "The engine is stopped." });
});

test("dropping a warehouse cancels the requests that use it and deletes its folder", async () => {
  const engine = start();
  const waiting = assert.rejects(engine.request("query", query(endless)), EngineLost);
  await engine.request("dropWarehouse", { environment: "dev" });
  await waiting;
  await assert.rejects(access(join(folder, "dev")), { code: "ENOENT" });
  assert.deepEqual((await engine.request("catalog", { scope })).tables, []);
});

test("when the server is killed, the engine process ends", async () => {
  const script = `
    const { createEngine } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const engine = createEngine({ folder: ${JSON.stringify(folder)}, memoryMb: 64, threads: 1, onLog() {} });
    await engine.request("query", ${JSON.stringify(orders)});
    console.log(engine.pid);
    await engine.request("query", ${JSON.stringify(query(endless))});`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  server.kill("SIGKILL");
  await until(() => isGone(Number(line)));
  assert.equal((await start().request("query", orders)).value, 3);
});

test("when the server is killed, the engine process ends although its main thread is inside a long call", async () => {
  const file = join(scratch, "source.db");
  const source = new DatabaseSync(file);
  // SQLite looks at 8,192 views to name the columns of each of these, and the engine does so in its main thread.
  source.exec("BEGIN; CREATE VIEW v0 AS SELECT 1 AS x");
  for (let n = 1; n <= 13; n++) source.exec(`CREATE VIEW v${n} AS SELECT a.x FROM v${n - 1} a, v${n - 1} b`);
  for (let n = 0; n < 300; n++) source.exec(`CREATE VIEW w${n} AS SELECT a.x FROM v13 a, v13 b`);
  source.exec("COMMIT");
  source.close();
  const discover = { scope, direction: "in", connection: { type: "sqlite", config: { path: file } } };
  const options = { folder, memoryMb: 64, threads: 1, folders: { granted: [scratch], dataFolder: folder } };
  const script = `
    const { setTimeout } = await import("node:timers/promises");
    const { createEngine } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const engine = createEngine({ ...${JSON.stringify(options)}, onLog() {} });
    await engine.request("query", ${JSON.stringify(orders)});
    engine.request("discover", ${JSON.stringify(discover)}).catch((error) => console.log(error.message));
    while ((await Promise.race([engine.memory(), setTimeout(1_000)])) !== undefined) await setTimeout(10);
    console.log(engine.pid);`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  const pid = Number(line);
  assert.ok(!isGone(pid), String(line));
  server.kill("SIGKILL");
  await until(() => isGone(pid), 20, 15_000);
  assert.equal((await start().request("query", orders)).value, 3);
});

test("while commits are held, queries answer, a write waits, and no file of the warehouse changes", async () => {
  const engine = start();
  await engine.request("query", orders);
  const sql = "INSERT INTO shop.sales.orders VALUES (3)";
  const script = { scope, sql, parameters: {}, idempotencyKey: "one" };
  const release = new AbortController();
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const hold = engine.request(
    "holdCommits",
    { environment: "dev" },
    { signal: release.signal, onProgress: () => resolve() },
  );
  hold.catch(() => {});
  await held;
  const log = join(folder, "dev", "shop.duckdb.wal");
  const before = await readFile(log).catch(() => undefined);
  let isWritten = false;
  const write = engine.request("script", script).then(() => {
    isWritten = true;
  });
  // Two queries that are sent after the write complete, while the write still waits.
  for (let n = 0; n < 2; n++) assert.equal((await engine.request("query", orders)).count, 3);
  assert.equal(isWritten, false);
  assert.deepEqual(await readFile(log).catch(() => undefined), before);
  release.abort();
  assert.equal(await hold, null);
  await write;
  assert.equal((await engine.request("query", orders)).count, 4);
});

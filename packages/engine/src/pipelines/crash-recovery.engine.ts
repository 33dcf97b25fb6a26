/**
 * The engine process is killed at some crash points of an update (at night at each), and at random times. When the same update is requested
 * again, it continues, and no row is lost or duplicated.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { createEngine } from "../process/engine.ts";
import type { Engine } from "../protocol/engine.ts";
import { EngineLost } from "../protocol/problem.ts";
import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { scope } from "./testing/pipeline.ts";

// Dozens of processes are started, and all compile the same modules.
enableCompileCache();
// Set KILLS_SEED to try other crash times and other rows.
const seed = Number(process.env.KILLS_SEED ?? 1);
console.log(`KILLS_SEED=${seed}`);

const code = `
  CREATE OR REFRESH PRIVATE STREAMING TABLE sound (CONSTRAINT positive EXPECT (amount > 0) ON VIOLATION DROP ROW)
    AS SELECT id, customer, amount FROM STREAM(orders);
  CREATE OR REFRESH STREAMING TABLE newest;
  CREATE FLOW newest_orders AS AUTO CDC INTO newest FROM STREAM(sound) KEYS (customer) SEQUENCE BY id;
  CREATE OR REFRESH STREAMING TABLE past;
  CREATE FLOW past_orders AS AUTO CDC INTO past FROM STREAM(sound) KEYS (customer) SEQUENCE BY id STORED AS SCD TYPE 2;
  CREATE MATERIALIZED VIEW totals AS SELECT customer, sum(amount) AS total FROM sound GROUP BY customer;
  INSERT INTO log SELECT count(*) FROM newest;`;

/** The expected rows, computed from the orders. The log has one row per update. */
const expected = {
  newest:
    "SELECT max(id) AS id, customer, max_by(amount, id) AS amount FROM orders WHERE amount > 0 GROUP BY customer",
  past: `SELECT id, customer, amount, id AS s, lead(id) OVER (PARTITION BY customer ORDER BY id) AS e FROM orders WHERE amount > 0`,
  totals: "SELECT customer, sum(amount) AS total FROM orders WHERE amount > 0 GROUP BY customer",
};

const steps = [
  "shop.sales.sound",
  "shop.sales.newest",
  "shop.sales.past",
  "shop.sales.totals",
  "statement 4",
];
const crashPoints = steps.flatMap((part) =>
  (part.startsWith("statement") ? ["written", "recorded"] : ["staged", "written", "recorded"]).map(
    (step) => `${step} ${part}`,
  ),
);

/** An engine whose processes kill themselves at these crash points: the first process at the first, and so on. */
async function openEngine(t: TestContext, folder: string, faults: readonly string[]): Promise<Engine> {
  const engine = createEngine({ folder, memoryMb: 128, threads: 1, faults, onLog: () => {} });
  t.after(() => engine.stop());
  return engine;
}

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-pipeline-kills-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Retries until the request succeeds, and counts the crashes. There may be a few more crashes than entries in
 * `killAfter`.
 */
async function requestUntilDone<Kind extends RequestKind>(
  engine: Engine,
  kind: Kind,
  body: EngineRequests[Kind][0],
  killAfter: readonly number[] = [],
): Promise<{ readonly answer: EngineRequests[Kind][1]; readonly deaths: number }> {
  for (let crashes = 0; ; crashes += 1) {
    const after = killAfter[crashes];
    const timer =
      after === undefined
        ? undefined
        : setTimeout(() => engine.pid !== undefined && process.kill(engine.pid, "SIGKILL"), after);
    try {
      return { answer: await engine.request(kind, body), deaths: crashes };
    } catch (error) {
      if (!(error instanceof EngineLost) || crashes > killAfter.length + 10) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const script = (sql: string, idempotencyKey: string | null) => ({
  scope,
  sql,
  parameters: {},
  idempotencyKey,
});
const update = (id: string) => ({
  scope,
  pipeline: "p1",
  sources: [{ path: "orders.sql", text: code }],
  configuration: {},
  update: id,
  refresh: "all" as const,
  fullRefresh: [],
});

async function rows(engine: Engine, sql: string): Promise<readonly (readonly unknown[])[]> {
  const found = (await engine.request("script", script(sql, null))).rows;
  return found.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

async function requireExpectedRows(engine: Engine, updates: number): Promise<void> {
  for (const [table, sql] of Object.entries(expected))
    assert.deepEqual(await rows(engine, `SELECT * FROM ${table}`), await rows(engine, sql), table);
  assert.equal((await rows(engine, "SELECT * FROM log")).length, updates, "a plain statement runs once");
}

const someOrders = (from: number, count: number): string => {
  const random = seededRandom(seed + from);
  const values = Array.from(
    { length: count },
    (_, at) => `(${from + at}, '${random.pick(["ada", "bob", "eve"])}', ${random.below(20) - 2})`,
  );
  return `INSERT INTO orders VALUES ${values.join(", ")}`;
};

test("an update that is killed at its crash points completes when it is requested again", async (t) => {
  const folder = await folderOf(t);
  const setup = await openEngine(t, folder, []);
  await setup.request(
    "script",
    script(
      "CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT); CREATE TABLE log (n BIGINT)",
      "m",
    ),
  );
  await setup.request("script", script(someOrders(0, 40), "m0"));
  await setup.stop();
  // An engine waits longer after each crash in a row, so every crash point gets its own engine.
  for (const point of someOf(crashPoints, 2)) {
    const crashing = await openEngine(t, folder, [point]);
    await assert.rejects(crashing.request("pipeline", update("u1")), EngineLost, point);
    await crashing.stop();
  }
  const engine = await openEngine(t, folder, []);
  const result = await engine.request("pipeline", update("u1"));
  assert.deepEqual(result.changed, [
    "shop.sales.newest",
    "shop.sales.past",
    "shop.sales.totals",
    "shop.sales.log",
  ]);
  assert.ok(result.tables.every(({ state }) => state === "completed"));
  await requireExpectedRows(engine, 1);
});

test("updates that are killed at random times, with new rows in between, lose and duplicate no row", async (t) => {
  const engine = await openEngine(t, await folderOf(t), []);
  await engine.request(
    "script",
    script(
      "CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT); CREATE TABLE log (n BIGINT)",
      "m",
    ),
  );
  const random = seededRandom(seed);
  for (let round = 0; round < (isNightly ? 4 : 1); round += 1) {
    await engine.request("script", script(someOrders(round * 100, 1 + random.below(30)), `m${round}`));
    const killAfter = Array.from(
      { length: random.below(4) },
      () => 10 + random.below(random.pick([300, 1500])),
    );
    await requestUntilDone(engine, "pipeline", update(`u${round}`), killAfter);
    await requireExpectedRows(engine, round + 1);
  }
});

test("a script that is killed before and after its commit runs once", async (t) => {
  const engine = await openEngine(t, await folderOf(t), ["none", "written", "recorded"]);
  const create =
    "CREATE TABLE IF NOT EXISTS orders (id BIGINT, customer STRING, amount BIGINT); INSERT INTO orders VALUES (1, 'ada', 1)";
  const first = await requestUntilDone(engine, "script", script(create, "first"));
  assert.equal(first.deaths, 0);
  process.kill(engine.pid ?? 0, "SIGKILL");
  const { answer: result, deaths: crashes } = await requestUntilDone(
    engine,
    "script",
    script("INSERT INTO orders SELECT id + 1, customer, amount FROM orders", "again"),
  );
  assert.deepEqual([result.inserted, crashes >= 2], [1, true]);
  assert.equal((await rows(engine, "SELECT * FROM orders")).length, 2);
});

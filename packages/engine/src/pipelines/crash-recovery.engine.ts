/**
 * kill -9 of the engine's process at each step of each table of an update, and at any moment: when the same update is asked
 * again, it goes on, and at its end nothing is lost and nothing doubled.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createEngine } from "../process/engine.ts";
import type { Engine } from "../protocol/engine.ts";
import { EngineLost } from "../protocol/problem.ts";
import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import { seededRandom } from "../testing/seeded-random.ts";
import { scope } from "./testing/pipeline.ts";

// Dozens of processes are started, and each compiles the same.
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

/** What the tables must hold, from the orders alone; the log has a row for each update. */
const expected = {
  newest:
    "SELECT max(id) AS id, customer, max_by(amount, id) AS amount FROM orders WHERE amount > 0 GROUP BY customer",
  past: `SELECT id, customer, amount, id AS s, lead(id) OVER (PARTITION BY customer ORDER BY id) AS e FROM orders WHERE amount > 0`,
  totals: "SELECT customer, sum(amount) AS total FROM orders WHERE amount > 0 GROUP BY customer",
};

const parts = [
  "shop.sales.sound",
  "shop.sales.newest",
  "shop.sales.past",
  "shop.sales.totals",
  "statement 4",
];
const moments = parts.flatMap((part) =>
  (part.startsWith("statement") ? ["written", "recorded"] : ["staged", "written", "recorded"]).map(
    (step) => `${step} ${part}`,
  ),
);

/** An engine whose processes kill themselves at these steps, one after the other. */
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

/** Retries until the request is answered, and counts how often the process died. It may die a few times more than planned. */
async function insist<Kind extends RequestKind>(
  engine: Engine,
  kind: Kind,
  body: EngineRequests[Kind][0],
  killAfter: readonly number[] = [],
): Promise<{ readonly answer: EngineRequests[Kind][1]; readonly deaths: number }> {
  for (let deaths = 0; ; deaths += 1) {
    const after = killAfter[deaths];
    const timer =
      after === undefined
        ? undefined
        : setTimeout(() => engine.pid !== undefined && process.kill(engine.pid, "SIGKILL"), after);
    try {
      return { answer: await engine.request(kind, body), deaths };
    } catch (error) {
      if (!(error instanceof EngineLost) || deaths > killAfter.length + 10) throw error;
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

async function requireWhole(engine: Engine, updates: number): Promise<void> {
  for (const [table, sql] of Object.entries(expected))
    assert.deepEqual(await rows(engine, `SELECT * FROM ${table}`), await rows(engine, sql), table);
  assert.equal((await rows(engine, "SELECT * FROM log")).length, updates, "a plain statement runs once");
}

const someOrders = (from: number, many: number): string => {
  const chance = seededRandom(seed + from);
  const values = Array.from(
    { length: many },
    (_, at) => `(${from + at}, '${chance.pick(["ada", "bob", "eve"])}', ${chance.below(20) - 2})`,
  );
  return `INSERT INTO orders VALUES ${values.join(", ")}`;
};

test("an update that is killed at each of its steps", async (t) => {
  const folder = await folderOf(t);
  const filling = await openEngine(t, folder, []);
  await filling.request(
    "script",
    script(
      "CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT); CREATE TABLE log (n BIGINT)",
      "m",
    ),
  );
  await filling.request("script", script(someOrders(0, 40), "m0"));
  await filling.stop();
  // An engine whose processes die one after the other waits longer and longer: each death is one of another engine.
  for (const moment of moments) {
    const dying = await openEngine(t, folder, [moment]);
    await assert.rejects(dying.request("pipeline", update("u1")), EngineLost, moment);
    await dying.stop();
  }
  const engine = await openEngine(t, folder, []);
  const answer = await engine.request("pipeline", update("u1"));
  assert.deepEqual(answer.changed, [
    "shop.sales.newest",
    "shop.sales.past",
    "shop.sales.totals",
    "shop.sales.log",
  ]);
  assert.ok(answer.tables.every(({ state }) => state === "completed"));
  await requireWhole(engine, 1);
});

test("updates that are killed at any moment, while rows go on coming", async (t) => {
  const engine = await openEngine(t, await folderOf(t), []);
  await engine.request(
    "script",
    script(
      "CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT); CREATE TABLE log (n BIGINT)",
      "m",
    ),
  );
  const chance = seededRandom(seed);
  for (let round = 0; round < 4; round += 1) {
    await engine.request("script", script(someOrders(round * 100, 1 + chance.below(30)), `m${round}`));
    const killAfter = Array.from(
      { length: chance.below(4) },
      () => 10 + chance.below(chance.pick([300, 1500])),
    );
    await insist(engine, "pipeline", update(`u${round}`), killAfter);
    await requireWhole(engine, round + 1);
  }
});

test("a script that is killed before and after it is committed is done once", async (t) => {
  const engine = await openEngine(t, await folderOf(t), ["none", "written", "recorded"]);
  const made =
    "CREATE TABLE IF NOT EXISTS orders (id BIGINT, customer STRING, amount BIGINT); INSERT INTO orders VALUES (1, 'ada', 1)";
  const first = await insist(engine, "script", script(made, "first"));
  assert.equal(first.deaths, 0);
  process.kill(engine.pid ?? 0, "SIGKILL");
  const { answer, deaths } = await insist(
    engine,
    "script",
    script("INSERT INTO orders SELECT id + 1, customer, amount FROM orders", "again"),
  );
  assert.deepEqual([answer.inserted, deaths >= 2], [1, true]);
  assert.equal((await rows(engine, "SELECT * FROM orders")).length, 2);
});

/**
 * kill -9 of the engine's process, at each step, any number of times, while the rows of the source go on changing: after the
 * next run that ends, the target equals the source. For everything that can be read from and written to.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import {
  type CrashPointName,
  type CrashTime,
  crashPoints,
  transferThroughCrashes,
} from "../testing/crashing-transfer.ts";
import { fillFile, readFile } from "../testing/duckdb.ts";
import { orderSources } from "../testing/order-sources.ts";
import { orderTargets } from "../testing/order-targets.ts";
import { firstOrders, nextOrders, type OrderChanges, sorted, type TestOrder } from "../testing/orders.ts";
import { type SeededRandom, seededRandom, seedOf } from "../testing/seeded-random.ts";

// Hundreds of processes are started: with what they compile kept, each costs 0.2 s of processor time instead of 0.5 s.
enableCompileCache();
// Set KILLS_SEED to try other crash times and other rows.
const seed = Number(process.env.KILLS_SEED ?? 1);
console.log(`KILLS_SEED=${seed}`);

interface CrashScenario {
  readonly dataset: Pick<Dataset, "strategy" | "watermark" | "deletes">;
  readonly changes: OrderChanges;
}

const scenarios: Readonly<Record<string, CrashScenario>> = {
  "upsert by a watermark": {
    dataset: { strategy: "upsert", watermark: "updated_at", deletes: false },
    changes: { updates: true, deletes: false, monotonicWatermarks: true },
  },
  "upsert by comparison, with deletions": {
    dataset: { strategy: "upsert", watermark: null, deletes: true },
    changes: { updates: true, deletes: true, monotonicWatermarks: false },
  },
  "append by a watermark": {
    dataset: { strategy: "append", watermark: "updated_at", deletes: false },
    changes: { updates: false, deletes: false, monotonicWatermarks: true },
  },
  "append by comparison": {
    dataset: { strategy: "append", watermark: null, deletes: false },
    changes: { updates: false, deletes: false, monotonicWatermarks: false },
  },
  replace: {
    dataset: { strategy: "replace", watermark: null, deletes: false },
    changes: { updates: true, deletes: true, monotonicWatermarks: false },
  },
};

/** An endpoint cannot delete rows, nor be replaced. */
const httpScenarios: Readonly<Record<string, CrashScenario>> = {
  "upsert by a watermark": scenarios["upsert by a watermark"] as CrashScenario,
  "upsert by comparison": {
    dataset: { strategy: "upsert", watermark: null, deletes: false },
    changes: { updates: true, deletes: false, monotonicWatermarks: false },
  },
  "append by a watermark": scenarios["append by a watermark"] as CrashScenario,
  "append by comparison": scenarios["append by comparison"] as CrashScenario,
};

/** Both sides of one pair. */
interface TransferPair {
  readonly request: Pick<TransferRequest, "direction" | "connection"> & { readonly source: string };
  /** Whether rows may change between a killed attempt and the next one. */
  readonly moves: boolean;
  /** Where each run is killed first. */
  readonly firsts: readonly CrashPointName[];
  put(orders: readonly TestOrder[]): Promise<void>;
  read(): Promise<TestOrder[]>;
}

const mysql = await startMysql({ after });

suite("kill -9 on the way in", { concurrency: 2 }, () => {
  for (const [kind, open] of Object.entries(orderSources(mysql))) {
    for (const [at, [name, way]] of Object.entries(scenarios).entries()) {
      test(`${kind}: ${name}`, async (t) => {
        const { folder, warehouse, own } = await createFolders(t);
        const place = await open(folder, own);
        t.after(() => place.close?.());
        const { connection, dataset, put } = place;
        const request = { direction: "in", connection, source: dataset } as const;
        await expectRecovery(folder, way, seededRandom(seed ^ seedOf(`in ${kind} ${name}`)), {
          request,
          moves: true,
          firsts: firstSteps(kind, at),
          put,
          read: () => readFile(warehouse, "default", "orders"),
        });
      });
    }
  }
});

suite("kill -9 on the way out", { concurrency: 2 }, () => {
  for (const [kind, open] of Object.entries(orderTargets(mysql))) {
    for (const [at, [name, way]] of Object.entries(kind === "http" ? httpScenarios : scenarios).entries()) {
      test(`${kind}: ${name}`, async (t) => {
        const { folder, warehouse, own } = await createFolders(t);
        const place = await open(folder, own);
        t.after(() => place.close?.());
        const request = { direction: "out", connection: place.connection, source: "orders" } as const;
        await expectRecovery(folder, way, seededRandom(seed ^ seedOf(`out ${kind} ${name}`)), {
          request,
          // A batch whose answer was lost is sent again: once for the endpoint if it is the same batch.
          moves: !(kind === "http" && way.dataset.strategy === "append"),
          firsts: firstSteps(kind, at),
          put: (orders) => fillFile(warehouse, "default", "orders", orders),
          read: place.read,
        });
      });
    }
  }
});

let folderCount = 0;

async function createFolders(t: TestContext): Promise<{ folder: string; warehouse: string; own: string }> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-kills-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "warehouse", "test"), { recursive: true });
  return {
    folder,
    warehouse: join(folder, "warehouse", "test", "main.duckdb"),
    own: `kills_${process.pid}_${++folderCount}`,
  };
}

/** Five ways of three runs have each of the five steps three times as the first to be killed at. */
const runs = 3;
const firstSteps = (kind: string, way: number): CrashPointName[] =>
  Array.from({ length: runs }, (_, run) => {
    const at = Math.abs(seed + seedOf(kind)) + way * runs + run;
    return crashPoints[at % crashPoints.length] as CrashPointName;
  });

/** Chance adds other kills, and changes rows in between. */
async function expectRecovery(
  folder: string,
  way: CrashScenario,
  chance: SeededRandom,
  pair: TransferPair,
): Promise<void> {
  const { request, moves, firsts, put, read } = pair;
  let orders: readonly TestOrder[] = firstOrders;
  for (const [run, first] of firsts.entries()) {
    const change = async () => {
      orders = nextOrders(orders, way.changes, chance);
      await put(orders);
    };
    await change();
    const at = [first, ...Array.from({ length: chance.below(3) }, () => randomCrashTime(chance))];
    const { killed } = await transferThroughCrashes({
      folder: join(folder, "warehouse"),
      request: transferRequest(request, way, run),
      at,
      between: async () => {
        if (moves && chance.below(2) === 0) await change();
      },
    });
    const told = `run ${run + 1}, killed at ${killed.join(", ")} (KILLS_SEED=${seed})`;
    assert.equal(killed[0], first, told);
    assert.deepEqual(sorted(await read()), sorted(orders), told);
  }
}

/** A process takes about 200 ms to start, and a run 100 more. */
const randomCrashTime = (chance: SeededRandom): CrashTime =>
  chance.below(2) === 0 ? chance.pick(crashPoints) : 100 + chance.below(400);

const transferRequest = (
  { direction, connection, source }: TransferPair["request"],
  { dataset }: CrashScenario,
  run: number,
): TransferRequest => ({
  scope: { environment: "test", catalog: "main", schema: "default" },
  direction,
  connector: "shop",
  connection,
  dataset: {
    id: "orders",
    source,
    target: "orders",
    keys: dataset.strategy === "upsert" ? ["id"] : [],
    leftOut: [],
    maxRejectShare: 0,
    ...dataset,
  },
  run: `run-${run}`,
  retryRejects: false,
});

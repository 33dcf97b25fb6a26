/**
 * Kills the engine's process at each crash point, several times, while the source's rows change. After the next completed run,
 * the target equals the source. For every source and every target.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, type TestContext, test } from "node:test";
import { startMysql } from "@lakehelm/testing";
import { isNightly } from "@lakehelm/testing/nightly";
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
import { startS3 } from "../testing/s3-server.ts";
import { type SeededRandom, seededRandom, seedOf } from "../testing/seeded-random.ts";

// Hundreds of processes are started. With the compile cache, each takes 0.2 s of CPU time instead of 0.5 s.
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

/** An endpoint can neither delete rows nor be replaced. */
const httpScenarios: Readonly<Record<string, CrashScenario>> = {
  "upsert by a watermark": scenarios["upsert by a watermark"] as CrashScenario,
  "upsert by comparison": {
    dataset: { strategy: "upsert", watermark: null, deletes: false },
    changes: { updates: true, deletes: false, monotonicWatermarks: false },
  },
  "append by a watermark": scenarios["append by a watermark"] as CrashScenario,
  "append by comparison": scenarios["append by comparison"] as CrashScenario,
};

/** A source and a target. */
interface TransferPair {
  readonly request: Pick<TransferRequest, "direction" | "connection"> & { readonly source: string };
  /** Whether rows may change between a killed attempt and the next one. */
  readonly changesBetweenAttempts: boolean;
  /** The first crash point of each run. */
  readonly firsts: readonly CrashPointName[];
  put(orders: readonly TestOrder[]): Promise<void>;
  read(): Promise<TestOrder[]>;
}

/** At night every scenario. Otherwise every third kind has one scenario, each time another one. */
const scenariosOf = (all: Readonly<Record<string, CrashScenario>>, nth: number) =>
  Object.entries(all).filter(
    (_, at) => isNightly || (nth % 3 === 0 && at === (nth / 3) % Object.keys(all).length),
  );

const mysql = await startMysql({ after });
const s3 = await startS3(after);

suite("ingest after kill -9", { concurrency: 2 }, () => {
  for (const [nth, [kind, open]] of Object.entries(orderSources(mysql, s3)).entries()) {
    for (const [at, [name, scenario]] of scenariosOf(scenarios, nth).entries()) {
      test(`${kind}: ${name}`, async (t) => {
        const { folder, warehouse, own } = await createFolders(t);
        const endpoint = await open(folder, own);
        t.after(() => endpoint.close?.());
        const { connection, dataset, put } = endpoint;
        const request = { direction: "in", connection, source: dataset } as const;
        await expectRecovery(folder, scenario, seededRandom(seed ^ seedOf(`in ${kind} ${name}`)), {
          request,
          changesBetweenAttempts: true,
          firsts: firstCrashPoints(kind, at),
          put,
          read: () => readFile(warehouse, "default", "orders"),
        });
      });
    }
  }
});

suite("delivery after kill -9", { concurrency: 2 }, () => {
  for (const [nth, [kind, open]] of Object.entries(orderTargets(mysql, s3)).entries()) {
    for (const [at, [name, scenario]] of scenariosOf(
      kind === "http" ? httpScenarios : scenarios,
      nth,
    ).entries()) {
      test(`${kind}: ${name}`, async (t) => {
        const { folder, warehouse, own } = await createFolders(t);
        const endpoint = await open(folder, own);
        t.after(() => endpoint.close?.());
        const request = { direction: "out", connection: endpoint.connection, source: "orders" } as const;
        await expectRecovery(folder, scenario, seededRandom(seed ^ seedOf(`out ${kind} ${name}`)), {
          request,
          // A batch whose response was lost is sent again. The endpoint recognizes it only if its rows are the same.
          changesBetweenAttempts: !(kind === "http" && scenario.dataset.strategy === "append"),
          firsts: firstCrashPoints(kind, at),
          put: (orders) => fillFile(warehouse, "default", "orders", orders),
          read: endpoint.read,
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

/** At night each of the five crash points is the first one three times for each kind. */
const runs = isNightly ? 3 : 2;
/** Random kills after the first one of a run. */
const furtherKills = isNightly ? 2 : 1;
const firstCrashPoints = (kind: string, scenario: number): CrashPointName[] =>
  Array.from({ length: runs }, (_, run) => {
    const at = Math.abs(seed + seedOf(kind)) + scenario * runs + run;
    return crashPoints[at % crashPoints.length] as CrashPointName;
  });

/** Further kills, and changes of rows between attempts, are random. */
async function expectRecovery(
  folder: string,
  scenario: CrashScenario,
  random: SeededRandom,
  pair: TransferPair,
): Promise<void> {
  const { request, changesBetweenAttempts, firsts, put, read } = pair;
  let orders: readonly TestOrder[] = firstOrders;
  for (const [run, first] of firsts.entries()) {
    const change = async () => {
      orders = nextOrders(orders, scenario.changes, random);
      await put(orders);
    };
    await change();
    const at = [
      first,
      ...Array.from({ length: random.below(furtherKills + 1) }, () => randomCrashTime(random)),
    ];
    const { killed } = await transferThroughCrashes({
      folder: join(folder, "warehouse"),
      request: transferRequest(request, scenario, run),
      at,
      between: async () => {
        if (changesBetweenAttempts && random.below(2) === 0) await change();
      },
    });
    const message = `run ${run + 1}, killed at ${killed.join(", ")} (KILLS_SEED=${seed})`;
    assert.equal(killed[0], first, message);
    assert.deepEqual(sorted(await read()), sorted(orders), message);
  }
}

/** A process needs about 200 ms to start, and a run about 100 ms. */
const randomCrashTime = (random: SeededRandom): CrashTime =>
  random.below(2) === 0 ? random.pick(crashPoints) : 100 + random.below(400);

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
    maxDeleteShare: 1,
    onMissingColumn: "keep",
    ...dataset,
  },
  run: `run-${run}`,
  retryRejects: false,
});

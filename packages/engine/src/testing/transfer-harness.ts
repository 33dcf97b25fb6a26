import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { Warehouse, type WarehouseOptions } from "../warehouse/warehouse.ts";
import { allowsLoopback } from "./loopback.ts";

/** Simulates a crash within one process: everything that is not committed is lost. */
export class SimulatedCrash extends Error {}

export interface TransferHarness {
  readonly folder: string;
  readonly warehouse: Warehouse;
  readonly context: RequestContext;
  /** The log lines of all runs. */
  readonly lines: string[];
  /** Ingests `orders` of an SQLite file, with key and watermark, into `main.default.orders`. */
  request(dataset?: Partial<Dataset>, more?: Partial<TransferRequest>): TransferRequest;
  /** A context whose run fails at a crash point. */
  crashingAt(step: string): RequestContext;
  rows(sql: string): Promise<unknown[][]>;
}

/** A real warehouse in a temporary folder, and the context of a run. */
export async function startTransferHarness(
  t: TestContext,
  options: Partial<WarehouseOptions> = {},
): Promise<TransferHarness> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-transfer-"));
  const warehouse = await Warehouse.open({
    ...{ folder: join(folder, "warehouse"), memoryMb: 128, threads: 2 },
    ...options,
  });
  t.after(async () => {
    warehouse.close();
    await rm(folder, { recursive: true, force: true });
  });
  const lines: string[] = [];
  let runs = 0;
  let times = 0;
  const context: RequestContext = {
    warehouse: async () => warehouse,
    drop: async () => {},
    holdCommits: async () => {},
    signal: new AbortController().signal,
    log: (_, text) => void lines.push(text),
    progress: () => {},
    crashPoint: () => {},
    egress: allowsLoopback,
    folders: { granted: [folder], dataFolder: join(folder, "warehouse") },
    now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, times++)).toISOString(),
  };
  return {
    folder,
    warehouse,
    context,
    lines,
    request: (dataset = {}, more = {}) => ({
      scope: { environment: "test", catalog: "main", schema: "default" },
      direction: "in",
      connector: "shop",
      connection: { type: "sqlite", config: { path: join(folder, "shop.db") } },
      dataset: {
        id: "orders",
        source: "orders",
        target: "orders",
        keys: ["id"],
        strategy: "upsert",
        watermark: "updated_at",
        leftOut: [],
        maxRejectShare: 0.5,
        deletes: false,
        maxDeleteShare: 0.5,
        onMissingColumn: "keep",
        ...dataset,
      },
      run: `run-${++runs}`,
      retryRejects: false,
      ...more,
    }),
    crashingAt: (step) => ({
      ...context,
      crashPoint(point) {
        if (point === step) throw new SimulatedCrash(step);
      },
    }),
    async rows(sql) {
      const connection = await warehouse.connect();
      try {
        return (await connection.runAndReadAll(sql)).getRowsJson();
      } finally {
        connection.closeSync();
      }
    },
  };
}

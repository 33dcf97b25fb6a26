import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { Warehouse } from "../warehouse/warehouse.ts";

/** The end of a process at a step, as far as one process can show it: everything that is not committed is gone. */
export class SimulatedCrash extends Error {}

export interface TransferHarness {
  readonly folder: string;
  readonly warehouse: Warehouse;
  readonly context: RequestContext;
  /** What the runs have logged. */
  readonly lines: string[];
  /** A dataset `orders` of an SQLite file with one, by its key and its time of change, into `main.default.orders`. */
  request(dataset?: Partial<Dataset>, more?: Partial<TransferRequest>): TransferRequest;
  /** Ends the run at a step. */
  crashingAt(step: string): RequestContext;
  rows(sql: string): Promise<unknown[][]>;
}

/** A real warehouse in a folder of its own, and what a run needs on top of it. */
export async function startTransferHarness(t: TestContext): Promise<TransferHarness> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-moving-"));
  const warehouse = await Warehouse.open({ folder: join(folder, "warehouse"), memoryMb: 128, threads: 2 });
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
    signal: new AbortController().signal,
    log: (_, text) => void lines.push(text),
    progress: () => {},
    crashPoint: () => {},
    folders: { own: join(folder, "warehouse"), allowed: [] },
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
        ...dataset,
      },
      run: `run-${++runs}`,
      retryRejects: false,
      ...more,
    }),
    crashingAt: (step) => ({
      ...context,
      crashPoint(passed) {
        if (passed === step) throw new SimulatedCrash(step);
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

import { MessageChannel, Worker } from "node:worker_threads";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Intake, Reject } from "../connectors/source/row-sink.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { quote } from "../warehouse/names.ts";
import { Ring } from "../warehouse/ring-buffer/ring-buffer.ts";
import { mostRejects, type ThreadMessage, type ThreadStart } from "../warehouse/ring-buffer/row-writer.ts";
import { wireOf } from "../warehouse/ring-buffer/wire-type.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { throughFile } from "./external-query.ts";

export interface IntakeOptions {
  readonly warehouse: Warehouse;
  /** With the transaction of the run. */
  readonly connection: DuckDBConnection;
  /** The SQL name of the table. */
  readonly table: string;
  readonly columns: readonly WarehouseColumn[];
  readonly signal: AbortSignal;
  readonly onProgress: (counts: { readonly rows: number; readonly bytes: number }) => void;
}

/** What has come so far; whole when the reading has ended. */
export interface CountedIntake extends Intake {
  readonly rows: number;
  readonly bytes: number;
  /** The first ten thousand. */
  readonly rejects: readonly Reject[];
  readonly rejected: number;
}

const msBetweenTelling = 500;

export function createIntake(options: IntakeOptions): CountedIntake {
  return new FedIntake(options);
}

class FedIntake implements CountedIntake {
  readonly columns: readonly WarehouseColumn[];
  readonly rejects: Reject[] = [];
  rows = 0;
  bytes = 0;
  rejected = 0;
  readonly #options: IntakeOptions;
  #told = performance.now();

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.columns = options.columns;
  }

  async fromThread(entry: URL, data: unknown): Promise<void> {
    const { warehouse, connection, signal } = this.#options;
    signal.throwIfAborted();
    const shared = Ring.share(this.columns.map(wire));
    const { port1, port2 } = new MessageChannel();
    const ring = new Ring(shared);
    const feed = warehouse.feeds.open(ring, port1, (taken) => this.#count(taken));
    const thread = new Worker(entry, {
      workerData: { data, sharing: { ...shared, port: port2 } } satisfies ThreadStart,
      transferList: [port2],
      // The rows are in shared memory: a large young generation would only take memory from others.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    thread.on("message", (message: ThreadMessage) => this.#hear(message));
    const stop = () => {
      connection.interrupt();
      thread.terminate();
    };
    signal.addEventListener("abort", stop);
    const ended = ending(thread, ring, signal);
    try {
      // A fast source gives one long INSERT, a slow one several: no statement holds a thread of DuckDB while nothing comes.
      for (;;) {
        await Promise.race([ended, ring.gathered(ring.layout.slots / 2)]);
        if (ring.waiting === 0) break;
        await connection.run(`INSERT INTO ${into(this.#options)} SELECT * FROM ${feed.relation}`);
      }
      await ended;
      this.#tell();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      feed.close();
      await thread.terminate();
      // For whoever still waits for parts.
      ring.end();
    }
  }

  async fromQuery(select: string, setup: readonly string[] = [], rejects?: string): Promise<void> {
    const { rows, rejected } = await throughFile(this.#options, select, setup, rejects);
    this.rejected += rejected.length;
    this.rejects.push(...rejected.slice(0, mostRejects));
    this.#count({ rows, bytes: this.bytes });
    this.#tell();
  }

  received(bytes: number): void {
    this.bytes += bytes;
  }

  #hear(message: ThreadMessage): void {
    if ("rejected" in message) {
      this.rejected += message.rejected;
      return;
    }
    this.rejected += 1;
    if (this.rejects.length < mostRejects) this.rejects.push(message.reject);
  }

  #count({ rows, bytes }: { readonly rows: number; readonly bytes: number }): void {
    this.rows = rows;
    this.bytes = bytes;
    if (performance.now() - this.#told > msBetweenTelling) this.#tell();
  }

  #tell(): void {
    this.#told = performance.now();
    this.#options.onProgress({ rows: this.rows, bytes: this.bytes });
  }
}

/** The table with its columns in the order of the intake's. */
export const into = ({ table, columns }: IntakeOptions): string =>
  `${table} (${columns.map(({ name }) => quote(name)).join(", ")})`;

function wire(column: WarehouseColumn) {
  const found = wireOf(wireType(column));
  if (!found) throw new Error(`No rows can arrive in the type ${wireType(column)} (${column.name}).`);
  return found;
}

/** Until the thread has ended as it should. What it threw comes as a copy of the error, of no class of ours. */
function ending(thread: Worker, ring: Ring, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    thread.once("error", (error) => reject(problemOf(error)));
    thread.once("exit", () => {
      if (ring.isEnded) resolve();
      else
        reject(signal.aborted ? signal.reason : new Error("The reading thread went before its rows ended."));
    });
  });
  // It is awaited later; until then its failing is no unhandled one.
  ended.catch(() => {});
  return ended;
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof Error) || !("retryable" in error)) return error;
  return new DataProblem(error.message, { retryable: error.retryable === true, cause: error });
}

/**
 * For worker threads of sources whose rows are JavaScript values. `RowSink.fromThread(entry, data)` starts a thread with the module
 * `entry`. The module reads `data` with `threadData()`, calls `openRowWriter()` once, `row` for each row, and `end` after the last
 * one. A row that cannot be stored goes to `reject`. To fail, the module throws; a DataProblem stays a DataProblem.
 *
 *     const { path, sql } = threadData<{ path: string; sql: string }>();
 *     const rows = openRowWriter();
 *     for (const row of database.prepare(sql).iterate()) rows.row(Object.values(row));
 *     rows.end();
 *
 * While the ring buffer is full, `row` blocks the thread. A thread whose event loop must not block waits before each row:
 * `if (!rows.hasSpace) await rows.spaceAvailable();`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { counted } from "@lakehelm/contract/text";
import type { Reject } from "../../protocol/transfer.ts";
import type { CellValue } from "../cell-value.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { SharedRing } from "./ring-buffer.ts";

export interface RowWriter {
  /**
   * Writes one value per column, by wire type: BOOLEAN boolean; BIGINT an integer or bigint; DOUBLE number; VARCHAR and JSON
   * string; BLOB bytes. Throws for other wire types and values.
   */
  row(values: readonly CellValue[]): void;
  /** Counts bytes read from the source. */
  received(bytes: number): void;
  reject(reason: string, row: Reject["row"]): void;
  readonly hasSpace: boolean;
  spaceAvailable(): Promise<void>;
  end(): void;
}

/** The `workerData` of a thread. */
export interface ThreadData {
  readonly data: unknown;
  readonly ring: SharedRing;
}

/** Messages of a thread besides its rows. */
export type ThreadMessage =
  | { readonly reject: Reject }
  | { readonly rejected: number }
  /** Where the rows are in the log of the source. */
  | { readonly position: bigint };

/** Rejects beyond this number are only counted, because they are kept in memory until the run stores them. */
export const maxRejects = 10_000;

export const threadData = <Data>(): Data => (workerData as ThreadData).data as Data;
export const threadRing = (): SharedRing => (workerData as ThreadData).ring;

/** Reports where the rows of this thread are in the log of the source. Call it before `end`. */
export function reportPosition(position: bigint): void {
  parentPort?.postMessage({ position } satisfies ThreadMessage);
}

/** Sends the rejects of this thread to the thread that started it. */
export class RejectReporter {
  #count = 0;
  add(reason: string, row: Reject["row"]): void {
    this.#count += 1;
    if (this.#count <= maxRejects) this.#send({ reject: { reason, row } });
  }
  end(): void {
    if (this.#count > maxRejects) this.#send({ rejected: this.#count - maxRejects });
  }
  #send(message: ThreadMessage): void {
    parentPort?.postMessage(message);
  }
}

export function openRowWriter(): RowWriter {
  const batches = new BatchWriter(threadRing());
  const rejects = new RejectReporter();
  const columns = batches.layout.wires.length;
  return {
    row(values) {
      if (values.length !== columns) {
        throw new Error(
          `A row of ${counted(columns, "column")} was given ${counted(values.length, "value")}.`,
        );
      }
      if (!batches.hasSpace) batches.ring.waitForSpace();
      batches.beginRow();
      for (let column = 0; column < columns; column++) setCell(batches, column, values[column] ?? null);
      batches.endRow();
    },
    received(bytes) {
      batches.received += bytes;
    },
    reject: (reason, row) => rejects.add(reason, row),
    get hasSpace() {
      return batches.hasSpace;
    },
    spaceAvailable: () => (batches.hasSpace ? Promise.resolve() : batches.ring.spaceAvailable()),
    end() {
      rejects.end();
      batches.end();
    },
  };
}

function setCell(batches: BatchWriter, column: number, value: CellValue): void {
  const kind = batches.layout.wires[column]?.kind;
  const at = batches.values[column] ?? 0;
  if (value === null) batches.setNull(column);
  else if (kind === "BOOLEAN" && typeof value === "boolean") batches.bytes[at + batches.row] = value ? 1 : 0;
  else if (kind === "DOUBLE" && typeof value === "number") batches.float64[at / 8 + batches.row] = value;
  else if (kind === "BIGINT" && (typeof value === "number" || typeof value === "bigint")) {
    batches.int64[at / 8 + batches.row] = toInt64(value);
  } else if ((kind === "VARCHAR" || kind === "JSON") && typeof value === "string")
    batches.setText(column, value);
  else if (kind === "BLOB" && value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    batches.setBytes(column, bytes, 0, bytes.length);
  } else throw new Error(`Column ${column + 1} is a ${kind}, but the value is a ${typeof value}.`);
}

function toInt64(value: number | bigint): bigint {
  const exact = BigInt(value);
  if (BigInt.asIntN(64, exact) === exact) return exact;
  throw new Error(`${value} is out of the range of BIGINT.`);
}

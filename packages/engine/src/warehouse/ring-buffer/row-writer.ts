/**
 * For sources whose rows are JavaScript values. `RowSink.fromThread(module, input)` imports the module in a worker thread and calls
 * its function `read` with the input and the ring buffer. The function opens a row writer once, calls `row` for each row, and `end`
 * after the last one. A row that cannot be stored goes to `reject`. To fail, it throws; a DataProblem stays a DataProblem. The
 * thread may read other datasets afterwards, so the module keeps no state and leaves nothing running.
 *
 *     export const read: ReadRows<{ path: string; sql: string }> = ({ path, sql }, ring) => {
 *       const rows = openRowWriter(ring);
 *       using database = new DatabaseSync(path);
 *       for (const row of database.prepare(sql).iterate()) rows.row(Object.values(row));
 *       rows.end();
 *     };
 *
 * While the ring buffer is full, `row` blocks the thread. A reader whose event loop must not block waits before each row:
 * `if (!rows.hasSpace) await rows.spaceAvailable();`.
 */
import { parentPort } from "node:worker_threads";
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

/** Writes all rows of a dataset into the ring buffer. */
export type ReadRows<Input> = (input: Input, ring: SharedRing) => void | Promise<void>;

/** The module of a source for reader threads. */
export interface ReaderModule {
  readonly read: ReadRows<unknown>;
}

export interface ReaderTask {
  readonly input: unknown;
  readonly ring: SharedRing;
}

/** Messages of a reader besides its rows. */
export type ReaderMessage =
  | { readonly reject: Reject }
  | { readonly rejected: number }
  /** Where the rows are in the log of the source. */
  | { readonly position: bigint };

/** `completed`: the bytes of the thread's heap after all rows. */
export type ThreadMessage = ReaderMessage | { readonly completed: number };

/** Rejects beyond this number are only counted, because they are kept in memory until the run stores them. */
export const maxRejects = 10_000;

/** Reports where the rows of this thread are in the log of the source. Call it before `end`. */
export function reportPosition(position: bigint): void {
  parentPort?.postMessage({ position } satisfies ReaderMessage);
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
  #send(message: ReaderMessage): void {
    parentPort?.postMessage(message);
  }
}

export function openRowWriter(ring: SharedRing): RowWriter {
  const batches = new BatchWriter(ring);
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

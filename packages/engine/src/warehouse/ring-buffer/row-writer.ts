/**
 * For threads of sources that have rows as JavaScript values. `Intake.fromThread(entry, data)` starts a worker thread with the
 * module `entry`; that module reads `data` by `threadData()`, calls `openRows()` once, `row` for each row, and `end` when there
 * are no more. A row that cannot be taken goes to `reject`. To fail, it throws: a DataProblem arrives as such.
 *
 *     const { path, sql } = threadData<{ path: string; sql: string }>();
 *     const rows = openRows();
 *     for (const row of database.prepare(sql).iterate()) rows.row(Object.values(row));
 *     rows.end();
 *
 * While the other side has not kept up, `row` blocks the thread. A thread whose event loop must go on awaits `room()` before
 * each row: `if (!rows.hasRoom) await rows.room();`.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { Reject } from "../../connectors/source/row-sink.ts";
import { PartWriter } from "./batch-writer.ts";
import type { Sharing } from "./ring-buffer.ts";

export type Cell = null | boolean | number | bigint | string | Uint8Array;

export interface RowWriter {
  /**
   * One value for each column of the intake, by the type of its wire: BOOLEAN boolean; BIGINT a whole number or bigint; DOUBLE
   * number; VARCHAR and JSON string; BLOB bytes. Other wires and other values are an error of the caller.
   */
  row(values: readonly Cell[]): void;
  /** Counts bytes that came from the other side. */
  received(bytes: number): void;
  reject(reason: string, row: Reject["row"]): void;
  readonly hasRoom: boolean;
  room(): Promise<void>;
  end(): void;
}

/** What a thread is started with. */
export interface ThreadStart {
  readonly data: unknown;
  readonly sharing: Sharing;
}

/** What a thread tells besides its rows. */
export type ThreadMessage = { readonly reject: Reject } | { readonly rejected: number };

/** More are only counted: they are kept in memory until the run writes them down. */
export const mostRejects = 10_000;

export const threadData = <Data>(): Data => (workerData as ThreadStart).data as Data;
export const threadSharing = (): Sharing => (workerData as ThreadStart).sharing;

/** Rejects of this thread, told to the one that started it. */
export class Rejects {
  #count = 0;
  add(reason: string, row: Reject["row"]): void {
    this.#count += 1;
    if (this.#count <= mostRejects) this.#tell({ reject: { reason, row } });
  }
  end(): void {
    if (this.#count > mostRejects) this.#tell({ rejected: this.#count - mostRejects });
  }
  #tell(message: ThreadMessage): void {
    parentPort?.postMessage(message);
  }
}

export function openRows(): RowWriter {
  const parts = new PartWriter(threadSharing());
  const rejects = new Rejects();
  const columns = parts.layout.wires.length;
  return {
    row(values) {
      if (values.length !== columns) {
        throw new Error(`A row of ${columns} columns was given ${values.length} values.`);
      }
      if (!parts.hasRoom) parts.ring.waitForRoom();
      parts.begin();
      for (let column = 0; column < columns; column++) setCell(parts, column, values[column] ?? null);
      parts.next();
    },
    received(bytes) {
      parts.received += bytes;
    },
    reject: (reason, row) => rejects.add(reason, row),
    get hasRoom() {
      return parts.hasRoom;
    },
    room: () => (parts.hasRoom ? Promise.resolve() : parts.ring.room()),
    end() {
      rejects.end();
      parts.end();
    },
  };
}

function setCell(parts: PartWriter, column: number, value: Cell): void {
  const kind = parts.layout.wires[column]?.kind;
  const at = parts.values[column] ?? 0;
  if (value === null) parts.setNull(column);
  else if (kind === "BOOLEAN" && typeof value === "boolean") parts.bytes[at + parts.row] = value ? 1 : 0;
  else if (kind === "DOUBLE" && typeof value === "number") parts.float64[at / 8 + parts.row] = value;
  else if (kind === "BIGINT" && (typeof value === "number" || typeof value === "bigint")) {
    parts.int64[at / 8 + parts.row] = bigintOf(value);
  } else if ((kind === "VARCHAR" || kind === "JSON") && typeof value === "string")
    parts.setText(column, value);
  else if (kind === "BLOB" && value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    parts.setBytes(column, bytes, 0, bytes.length);
  } else throw new Error(`Column ${column + 1} is a ${kind}, and was given a ${typeof value}.`);
}

function bigintOf(value: number | bigint): bigint {
  const exact = BigInt(value);
  if (BigInt.asIntN(64, exact) === exact) return exact;
  throw new Error(`${value} is out of the range of BIGINT.`);
}

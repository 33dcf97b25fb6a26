import type { Refusal, Value } from "./database.ts";

/** What the two sides of the writer thread say to each other: sqlite.ts and sqlite-writer.js. */

/** One statement: the id of its SQL, how many rows it must change (-1: any number), its values. */
export type Packed = [id: number, expect: number, ...values: Value[]];

export type Statements = readonly Packed[];

/** Sent as JSON text: cheaper than objects, which a thread port walks and copies one by one. */
export interface Batch {
  /** SQL texts seen for the first time; their ids go on from the last known one. */
  readonly learn: readonly string[];
  readonly changes: readonly Statements[];
}

/** An error as plain values: an Error that is sent between threads loses its `errcode`. */
export interface Fault {
  readonly fault: string;
  readonly errcode: number | undefined;
}

/** What became of the changes, in the order they were sent; or why none of them was made. */
export interface BatchDone {
  readonly count: number;
  readonly answers: readonly (Refusal | Fault | undefined)[];
  readonly failed?: Fault;
}

export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

export type SqliteError = Error & { errcode?: number | undefined };

import type { Refusal, SqlValue } from "./database.ts";

/** Messages between sqlite.ts and the writer thread (sqlite-writer.js). */

/** One statement: the id of its SQL, how many rows it must change (-1: any number), its values. */
export type Packed = [id: number, expect: number, ...values: SqlValue[]];

export type Statements = readonly Packed[];

/** Sent as JSON text: cheaper than structured clones of many small objects. */
export interface WriteBatch {
  /** SQL texts seen for the first time; their ids continue after the last known one. */
  readonly learn: readonly string[];
  readonly changes: readonly Statements[];
  /**
   * The next message has the rest of the last change, then further changes. Nothing is written before the last message.
   */
  readonly more?: true;
}

/** An error as plain values: an Error that is sent between threads loses its `errcode`. */
export interface Fault {
  readonly fault: string;
  readonly errcode: number | undefined;
}

/** The results of the changes in the order sent, or why none was applied. */
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

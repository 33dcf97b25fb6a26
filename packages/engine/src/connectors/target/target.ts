import type { WarehouseColumn } from "../../protocol/column.ts";
import type { RefuseRow } from "../postgresql/copy-encoding.ts";
import type { Reject } from "../source/row-sink.ts";
import type { ConnectionFinding, DatasetDescription, Source } from "../source/source.ts";

export type WriteStrategy = "upsert" | "append" | "replace";

/** How far a dataset has come: kept where the rows land, with the rows. */
export interface Mark {
  /** The greatest value of the watermark column among the rows that were written; null: none is used, or no row came yet. */
  readonly value: string | null;
  /** When it was written, RFC 3339. */
  readonly time: string;
  /** The run that wrote it. */
  readonly run: string;
}

/** One table of a target, and whose it is. */
export interface Destination {
  /** Whose mark it is: the connector's id and the dataset's. */
  readonly stream: string;
  readonly name: string;
  /** In the warehouse's types; the target says how it keeps each. */
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
}

/** A value on its way to a target that takes rows one by one. */
export type Cell = null | boolean | number | bigint | string | Uint8Array;

/** The rows of a run. They stand still: they were written down before the target is touched. */
export interface Changes {
  readonly rows: number;
  /** The target is to hold exactly these rows afterwards: a first load, or `replace`. */
  readonly whole: boolean;
  /** For a target that cannot be read back: the same for the same rows after a killed run, and another one for any other run. */
  readonly sending: string;
  /**
   * Rows in batches, each column as `expressions` writes it (DuckDB SQL, one expression per column, in their order). With
   * `order`, also SQL, the same rows make the same batches.
   */
  batches(expressions: readonly string[], size: number, order?: readonly string[]): AsyncIterable<Cell[][]>;
  /**
   * Rows as `COPY … FROM STDIN (FORMAT binary)` takes them, for PostgreSQL: a text is read fastest as `column || ''`. Rows that no
   * PostgreSQL can hold are told to `refuse` and left out.
   */
  copy(expressions: readonly string[], refuse: RefuseRow): AsyncIterable<Buffer>;
  /** A DuckDB file whose table `changes` holds them, for a DuckDB that may write files; and `gone`, where keys are to go. */
  file(): Promise<string>;
  /**
   * The rows that the target refuses, before anything is committed: they are written down first, so that none is lost, and
   * too many of them end the run (it throws).
   */
  reject(rejects: readonly Reject[]): Promise<void>;
  /** Keys of rows that are to go from the target, in the order of `keys`; undefined: none do. */
  gone: ((expressions: readonly string[], size: number) => AsyncIterable<Cell[][]>) | undefined;
}

export interface Written {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: readonly Reject[];
  /** Sent or written, where that is known. */
  readonly bytes: number;
}

/** What the writer passes on its way; tests stop the process there. */
export type CrashPoint = (step: "staged" | "written" | "marked") => void | Promise<void>;

/** A table that rows are written to. */
export interface Table {
  /** It can never be read back: what was sent is remembered in the warehouse. */
  readonly blind?: true;
  /** Writing a few rows writes all of it anew: what it has already is found out first. */
  readonly rewrites?: true;
  /** The target's own record; undefined: it has none, or the table that it was about is gone. */
  mark(): Promise<Mark | undefined>;
  /** What is there now, for comparing: a source to read, and the name to read; undefined: nothing yet, or it cannot be read. */
  present(): Promise<{ readonly source: Source; readonly dataset: string } | undefined>;
  /**
   * Makes the table fit (creates it, adds columns; a type that does not fit is a DataProblem that names the column), writes
   * the changes and the mark. In one transaction where the target has them; otherwise the mark last, and written so that
   * the same changes again end in the same state.
   */
  write(changes: Changes, mark: Mark, crashPoint: CrashPoint, signal: AbortSignal): Promise<Written>;
}

/** A place that rows are written to. Made for one run and closed after it. */
export interface Target {
  check(destinations: readonly string[]): Promise<ConnectionFinding[]>;
  discover(): Promise<DatasetDescription[]>;
  table(destination: Destination): Promise<Table>;
  close(): Promise<void>;
}

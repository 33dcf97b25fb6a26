import type { DuckDBResult } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type {
  ConnectionFinding,
  DatasetDescription,
  Reject,
  WriteStrategy,
} from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import type { ConnectorSource } from "../source/source.ts";

/** The progress of a dataset. It is stored with the rows, in the system that they are written to. */
export interface Checkpoint {
  /** The greatest watermark of the written rows; null if the dataset has no watermark, or had no rows yet. */
  readonly value: string | null;
  /** When it was written, RFC 3339. */
  readonly time: string;
  /** The run that wrote it. */
  readonly run: string;
}

/** A table of a target, and the rows that it gets. */
export interface Destination {
  /** The key of the checkpoint: the connector's id and the dataset's. */
  readonly stream: string;
  readonly name: string;
  /** In the warehouse's types. The target decides how it stores each of them. */
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  /** The column that tells which of two rows is the later one. */
  readonly watermark?: string | undefined;
}

/** The rows of a run. They do not change while the target is written. */
export interface ChangeSet {
  readonly rows: number;
  /** Afterwards the target holds exactly these rows: a first load, or `replace`. */
  readonly whole: boolean;
  /**
   * SQL: a key of each row, for a target that cannot be read. It is made of the row's values, and the same whenever the row is
   * sent again. Equal rows have different keys.
   */
  readonly rowKey?: string;
  /** For a write-only target: a retry after a crash has the same id if it sends the same rows, any other run has a new one. */
  readonly sendId: string;
  /**
   * The rows in batches. `expressions` is DuckDB SQL, one expression per column, in order. With `order`, also SQL, the same rows
   * always make the same batches.
   */
  batches(
    expressions: readonly string[],
    size: number,
    order?: readonly string[],
  ): AsyncIterable<CellValue[][]>;
  /** The rows as a DuckDB result, which is read in chunks. */
  stream(expressions: readonly string[]): Promise<DuckDBResult>;
  /** Writes a DuckDB file with the rows in the table `changes`, and the deleted keys, if any, in the table `deleted_keys`. */
  stageFile(): Promise<string>;
  /** Stores rows that the target refused. Called before the target commits, so that none is lost. Throws if there are too many. */
  reject(rejects: readonly Reject[]): Promise<void>;
  /** Keys of the rows to delete, in the order of `keys`; undefined if there are none. */
  deletedKeys: ((expressions: readonly string[], size: number) => AsyncIterable<CellValue[][]>) | undefined;
}

export interface WriteResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: readonly Reject[];
  /** Bytes sent or written; 0 if unknown. */
  readonly bytes: number;
}

/** A named step of a write. Tests crash the process there. */
export type CrashPointHook = (name: "staged" | "written" | "checkpointed") => void | Promise<void>;

/** How to read back the rows of a target. */
export interface ExistingRows {
  readonly source: ConnectorSource;
  readonly dataset: string;
}

/** A table that rows are written to. */
export interface TargetTable {
  /** The table cannot be read back. The warehouse records which rows were sent. */
  readonly isWriteOnly?: true;
  /** Every write rewrites the whole table, so the existing rows are compared first. */
  readonly rewritesAll?: true;
  /** Undefined if the target has no checkpoint, or its table was dropped. */
  readCheckpoint(): Promise<Checkpoint | undefined>;
  /** Whether the table has no rows. Absent: it is not known without reading all of them. */
  isEmpty?(): Promise<boolean>;
  /**
   * Whether a preview can write, and fail while it stores the rejects, without leaving anything behind or blocking a
   * reader. Absent: never.
   */
  canRehearse?(whole: boolean): Promise<boolean>;
  /** Undefined if there is no table yet, or it cannot be read. */
  existingRows(): Promise<ExistingRows | undefined>;
  /**
   * Creates the table or adds columns to it, then writes the changes and the checkpoint. Throws a DataProblem that names the column
   * if a type does not fit. Uses one transaction if the target has them. Otherwise it writes the checkpoint last, and writing the
   * same changes again has the same result.
   */
  write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult>;
}

/** A system that rows are written to. Opened for one run and closed after it. */
export interface ConnectorTarget {
  check(destinations: readonly string[]): Promise<ConnectionFinding[]>;
  discover(): Promise<DatasetDescription[]>;
  table(destination: Destination): Promise<TargetTable>;
  close(): Promise<void>;
}

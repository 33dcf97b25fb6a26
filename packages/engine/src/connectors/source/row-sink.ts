import type { WarehouseColumn } from "../../protocol/column.ts";

export interface ExternalQueryOptions {
  /** Statements that run before the query. */
  readonly setup?: readonly string[];
  /** A query for the rows that could not be read: a reason, and the row as JSON. */
  readonly rejects?: string;
}

/** Inserts the rows of a source into a table of the warehouse, within the run's transaction. The table has the columns' wire types. */
export interface RowSink {
  readonly columns: readonly WarehouseColumn[];
  /** Reads rows in a worker thread, in batches. `entry` is the thread's module, `data` its input. */
  fromThread(entry: URL, data: unknown): Promise<void>;
  /**
   * Reads rows with an external DuckDB that can open these files and folders and no others. `select` returns the columns
   * in order, in types that can be cast to the wire types.
   */
  fromQuery(paths: readonly string[], select: string, options?: ExternalQueryOptions): Promise<void>;
  /** Counts bytes that `fromQuery` reads from the source. A thread counts its own. */
  addBytes(bytes: number): void;
}

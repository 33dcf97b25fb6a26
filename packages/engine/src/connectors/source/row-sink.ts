import type { WarehouseColumn } from "../../protocol/column.ts";

/** Takes the rows of a source into a table of the warehouse, within the run's transaction. The table has the columns' wire types. */
export interface RowSink {
  readonly columns: readonly WarehouseColumn[];
  /** Reads rows in a worker thread, in batches. `entry` is the thread's module, `data` its input. */
  fromThread(entry: URL, data: unknown): Promise<void>;
  /**
   * Reads rows with an external DuckDB, which may open files. `select` returns the columns in order, in types that can be cast to
   * the wire types. `setup` statements run before it. `rejects` is a query for the rows that could not be read: a reason, and the
   * row as JSON.
   */
  fromQuery(select: string, setup?: readonly string[], rejects?: string): Promise<void>;
  /** Counts bytes that `fromQuery` reads from the source. A thread counts its own. */
  addBytes(bytes: number): void;
}

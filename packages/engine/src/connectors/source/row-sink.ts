import type { WarehouseColumn } from "../../protocol/column.ts";
import type { ExternalAccess } from "../../warehouse/warehouse.ts";

export interface ExternalQueryOptions {
  /** Statements that run before the query. */
  readonly setup?: readonly string[];
  /** Runs after `setup`. Throws if `setup` has opened the wrong file. */
  readonly afterSetup?: () => void;
  /** A query for the rows that could not be read: a reason, and the row as JSON. */
  readonly rejects?: string;
}

/** A row whose columns are all text. */
export type StagedRow = Readonly<Record<string, string | null>>;

/** Inserts the rows of a source into a table of the warehouse, within the run's transaction. The table has the columns' wire types. */
export interface RowSink {
  readonly columns: readonly WarehouseColumn[];
  /**
   * If several rows have the same key, the last row wins. So the source must return rows in its order, and `fromQuery`
   * must keep this order.
   */
  readonly keepsOrder: boolean;
  /** Where the rows are in the log of the source, once they are read and if a thread reported it. */
  readonly position: bigint | undefined;
  /** Reads rows in a worker thread, in batches, with the function `read` of a module (`ReadRows`). */
  fromThread(module: URL, input: unknown): Promise<void>;
  /**
   * Reads rows with an external DuckDB that can open only what `access` names. `select` returns the columns
   * in order, in types that can be cast to the wire types.
   */
  fromQuery(access: ExternalAccess, select: string, options?: ExternalQueryOptions): Promise<void>;
  /**
   * Finds the locations of the rows that meet a condition and will be rejected. The reasons of their rejects begin with
   * the location. `find` returns one location for each row, or undefined. It is not called if there are no such rows.
   */
  locate(
    condition: string,
    find: (rows: readonly StagedRow[]) => Promise<readonly (string | undefined)[]>,
  ): Promise<void>;
  /** Counts bytes that `fromQuery` reads from the source. A thread counts its own. */
  addBytes(bytes: number): void;
}

import type { WarehouseColumn } from "../../protocol/column.ts";
import type { ExternalAccess } from "../../warehouse/warehouse.ts";

export interface ExternalQueryOptions {
  /** Statements that run before the query. */
  readonly setup?: readonly string[];
  /** Runs after `setup`. Throws if that has opened another file than it should. */
  readonly afterSetup?: () => void;
  /** A query for the rows that could not be read: a reason, and the row as JSON. */
  readonly rejects?: string;
}

/** A row whose columns are all text. */
export type StagedRow = Readonly<Record<string, string | null>>;

/** Inserts the rows of a source into a table of the warehouse, within the run's transaction. The table has the columns' wire types. */
export interface RowSink {
  readonly columns: readonly WarehouseColumn[];
  /** Of rows with the same key the last one counts, so the source must return them in its order. `fromQuery` must not lose it. */
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
   * Finds out where the rows come from that meet a condition and will be rejected: the reasons of their rejects begin with it.
   * `find` returns one location for each row, or undefined. It is not called if there are no such rows.
   */
  locate(
    condition: string,
    find: (rows: readonly StagedRow[]) => Promise<readonly (string | undefined)[]>,
  ): Promise<void>;
  /** Counts bytes that `fromQuery` reads from the source. A thread counts its own. */
  addBytes(bytes: number): void;
}

import type { WarehouseColumn } from "../../protocol/column.ts";

/** A row that could not be taken, and why. */
export interface Reject {
  readonly reason: string;
  /** The row as far as it could be read: column → value. */
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * How rows come into the warehouse: into one table of it, within the transaction of the run. The columns of the table are the
 * reading's, in their wire types.
 */
export interface Intake {
  readonly columns: readonly WarehouseColumn[];
  /** Rows that a thread of ours makes, part by part: `entry` is its module, `data` what it is told. */
  fromThread(entry: URL, data: unknown): Promise<void>;
  /**
   * Rows that another DuckDB reads, one that may open files: `select` gives the columns in their order, in types that cast
   * to the wire types; `setup` are statements before it. `rejects` asks the same DuckDB afterwards for the rows that could not
   * be read: a reason and the row as JSON each.
   */
  fromQuery(select: string, setup?: readonly string[], rejects?: string): Promise<void>;
  /** Counts bytes of the other side that `fromQuery` reads; a thread counts its own. */
  received(bytes: number): void;
}

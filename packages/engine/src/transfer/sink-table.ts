import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { quote } from "../warehouse/names.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** The table that a sink inserts into. */
export interface SinkTable {
  readonly warehouse: Warehouse;
  /** The connection has the transaction of the run. */
  readonly connection: DuckDBConnection;
  /** The SQL name of the table. */
  readonly table: string;
  readonly columns: readonly WarehouseColumn[];
  readonly signal: AbortSignal;
  /** Whether the table also has `placeColumn`, for the order in which the source returned the rows. */
  readonly keepsOrder?: boolean | undefined;
  /** Stores rows elsewhere than in the table. */
  readonly store?: StoreRows | undefined;
}

/**
 * Stores the rows of a relation: `values` are SQL of its columns, in the order of the sink's columns. Returns the
 * number of rows.
 */
export type StoreRows = (values: readonly string[], relation: string) => Promise<number>;

/**
 * The place of a row among those of its run: the last row has the greatest place. DuckDB's own order of rows is not
 * kept.
 */
export const placeColumn = "_lakehelm_place";

/** `place` is SQL for `placeColumn`. */
export async function storeRows(
  sink: SinkTable,
  values: readonly string[],
  relation: string,
  place: string,
): Promise<number> {
  if (sink.store) return sink.store(values, relation);
  const { rowsChanged } = await sink.connection.run(
    `INSERT INTO ${insertTarget(sink)} SELECT ${[...values, ...(sink.keepsOrder ? [place] : [])].join(", ")} FROM ${relation}`,
  );
  return rowsChanged;
}

/** The table with its columns in the order of the sink's columns. */
const insertTarget = ({ table, columns, keepsOrder }: SinkTable): string =>
  `${table} (${[...columns.map(({ name }) => quote(name)), ...(keepsOrder ? [placeColumn] : [])].join(", ")})`;

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { quote } from "../warehouse/names.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** The table that a sink inserts into. */
export interface SinkTable {
  readonly warehouse: Warehouse;
  /** In the transaction of the run. */
  readonly connection: DuckDBConnection;
  /** The SQL name of the table. */
  readonly table: string;
  readonly columns: readonly WarehouseColumn[];
  readonly signal: AbortSignal;
}

/** The table with its columns in the order of the sink's columns. */
export const insertTarget = ({ table, columns }: SinkTable): string =>
  `${table} (${columns.map(({ name }) => quote(name)).join(", ")})`;

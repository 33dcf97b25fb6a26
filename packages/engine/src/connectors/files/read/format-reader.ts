import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import type { DatasetDescription, Reading } from "../../source/source.ts";
import type { FoundFile } from "./file-listing.ts";

/** What is asked of rows that DuckDB reads. */
export interface Asked {
  /** The columns, as a list of SQL. */
  readonly select: string;
  /** A SELECT of no rows with all of the columns: a file need not have them all. */
  readonly shape: string;
  /** ` WHERE …`, or nothing. */
  readonly where: string;
}

/** One format of files. */
export interface Kind {
  /** The columns of all files, by name. */
  columns(files: readonly FoundFile[], connection: DuckDBConnection): Promise<DatasetDescription["columns"]>;
  read(files: readonly FoundFile[], reading: Reading, asked: Asked): Promise<void>;
  /** A column as SQL. */
  value(column: WarehouseColumn): string;
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";
import type { ReadRequest } from "../../source/source.ts";
import type { ListedFile } from "./file-listing.ts";

/** What is asked of rows that DuckDB reads. */
export interface RowSelection {
  /** The columns, as a list of SQL. */
  readonly select: string;
  /** A SELECT of no rows with all of the columns: a file need not have them all. */
  readonly shape: string;
  /** ` WHERE …`, or nothing. */
  readonly where: string;
}

/** One format of files. */
export interface FormatReader {
  /** The columns of all files, by name. */
  columns(files: readonly ListedFile[], connection: DuckDBConnection): Promise<DatasetDescription["columns"]>;
  read(files: readonly ListedFile[], reading: ReadRequest, asked: RowSelection): Promise<void>;
  /** A column as SQL. */
  value(column: WarehouseColumn): string;
}

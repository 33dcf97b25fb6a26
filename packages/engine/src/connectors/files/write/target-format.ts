import type { WarehouseColumn } from "../../../protocol/column.ts";

/**
 * How a file format stores rows. Rows that are already in a file are copied as they are stored, without being parsed, so
 * they never change.
 */
export interface TargetFileFormat {
  readonly extension: string;
  /** SQL over the warehouse's columns: the stored fields of a row, by name. */
  storedFields(
    columns: readonly WarehouseColumn[],
  ): readonly { readonly name: string; readonly sql: string }[];
  /** Options of DuckDB's COPY. */
  readonly copyOptions: string;
  /** SQL: a SELECT of all stored fields of the files. Fields that a file does not have are NULL. */
  selectStored(files: readonly string[], columns: readonly WarehouseColumn[]): Promise<string>;
  /** SQL over the stored fields: the value of a column. */
  value(column: WarehouseColumn): string;
}

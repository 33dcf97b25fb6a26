import type { WarehouseColumn } from "../../../protocol/column.ts";

/**
 * How a kind of file keeps rows. Rows that are in a file already are carried over as they are kept, without becoming values
 * on the way: what was written once stays the same to the letter.
 */
export interface TargetFileFormat {
  readonly extension: string;
  /** SQL: what the file has of a row, by the names that it has there; over the columns of the warehouse. */
  storedFields(
    columns: readonly WarehouseColumn[],
  ): readonly { readonly name: string; readonly sql: string }[];
  /** Options of DuckDB's COPY. */
  readonly copyOptions: string;
  /** SQL: a SELECT that gives all `kept` of the files; columns that one does not have are NULL. */
  selectStored(files: readonly string[], columns: readonly WarehouseColumn[]): Promise<string>;
  /** SQL: the value of a column, over what a file keeps of a row. */
  value(column: WarehouseColumn): string;
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { DatasetTypes } from "@lakehelm/contract/column-types";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";
import type { ReadRequest } from "../../source/source.ts";
import type { ListedFile } from "./file-listing.ts";

/** Fragments of an SQL query over files. */
export interface RowSelection {
  /** The columns. */
  readonly select: string;
  /** A SELECT of all columns without rows. A file need not have all columns. */
  readonly shape: string;
  /** ` WHERE …`, or empty. */
  readonly where: string;
  /** The path of a file for people, from an expression with the path by which it is read. */
  realPath(path: string): string;
}

/** Reads one file format. */
export interface FormatReader {
  /** The columns of all files, by name. */
  columns(files: readonly ListedFile[], connection: DuckDBConnection): Promise<DatasetDescription["columns"]>;
  /** The columns with their declared types. Throws a DataProblem for a type that cannot be read from such files. */
  declares(
    columns: DatasetDescription["columns"],
    dataset: string,
    declared: DatasetTypes,
  ): DatasetDescription["columns"];
  read(files: readonly ListedFile[], request: ReadRequest, selection: RowSelection): Promise<void>;
  /** SQL: the value of a column. */
  value(column: WarehouseColumn): string;
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { DatasetTypes } from "@lakehelm/contract/column-types";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";
import type { ReadRequest } from "../../source/source.ts";
import type { LineFormat } from "./appended-lines.ts";
import type { FileWork, OpenedFile } from "./file-store.ts";

/** Fragments of an SQL query over files. */
export interface RowSelection {
  /** The list of columns. */
  readonly select: string;
  /** A SELECT of all columns without rows. A file need not have all columns. */
  readonly shape: string;
  /** ` WHERE …` after a relation of rows with the path of their file, or empty. */
  readonly conditions: string;
}

/** Finds out the columns of files, which are added in groups. */
interface ColumnCollector {
  add(files: readonly OpenedFile[], connection: DuckDBConnection): Promise<void>;
  /** The columns of all files, by name. */
  columns(): DatasetDescription["columns"];
}

/** Reads one file format. */
export interface FormatReader {
  /**
   * Passes files on in groups, in a form that the reader can read. For a sample, the beginning of each file is enough.
   */
  open(files: readonly OpenedFile[], isSample: boolean, work: FileWork): Promise<void>;
  /** Undefined if files of the format do not grow by lines. */
  readonly lines?: LineFormat;
  collect(fileCount: number): ColumnCollector;
  /** The columns with their declared types. Throws a DataProblem for a type that cannot be read from such files. */
  declares(
    columns: DatasetDescription["columns"],
    dataset: string,
    declared: DatasetTypes,
  ): DatasetDescription["columns"];
  read(files: readonly OpenedFile[], request: ReadRequest, selection: RowSelection): Promise<void>;
  /** SQL: the value of a column. */
  value(column: WarehouseColumn): string;
}

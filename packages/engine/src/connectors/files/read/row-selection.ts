import { type WarehouseColumn, wireType } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import type { Since } from "../../source/source.ts";
import { modifiedColumn, pathColumn } from "./file-columns.ts";
import type { OpenedFile } from "./file-store.ts";
import type { FormatReader, RowSelection } from "./format-reader.ts";
import { partitionOrigin, partitionsOf } from "./partitions.ts";

/** The values of rows, in SQL. Some come from the file itself, others from its time and the names of its folders. */
export function rowSelection(
  reader: FormatReader,
  files: readonly OpenedFile[],
  columns: readonly WarehouseColumn[],
  since: Since | undefined,
): RowSelection {
  const ofFile = fileValues(files, columns);
  const valueSql = (column: WarehouseColumn) =>
    ofFile.has(column.name) ? ofFile.reference(column.name) : reader.value(column);
  const own = columns.filter(({ name }) => !ofFile.has(name));
  const nulls = own.map((column) => `CAST(NULL AS ${wireType(column)}) AS ${quote(column.name)}`);
  // If the files have none of the columns, the rows have at least their path.
  const shape = `SELECT ${nulls.length > 0 ? nulls.join(", ") : `CAST(NULL AS VARCHAR) AS ${pathColumn}`} WHERE false`;
  const select = columns.map(valueSql).join(", ");
  const watermark = columns.find(({ name }) => name === since?.column);
  if (!since || !watermark) return { select, shape, conditions: "" };
  const condition = `TRY_CAST(${valueSql(watermark)} AS ${watermark.type}) >= CAST(${literal(since.value)} AS ${watermark.type})`;
  return { select, shape, conditions: ` WHERE coalesce(${condition}, true)` };
}

/**
 * SQL: the values that all rows of a file share, looked up by the path of the file. A join would lose the order of the
 * rows. The path is the same for all rows of a chunk, so DuckDB looks it up once per chunk.
 */
function fileValues(files: readonly OpenedFile[], columns: readonly WarehouseColumn[]) {
  const partitions = files.map(({ name }) => partitionsOf(name));
  const names = columns
    .filter(({ name, origin }) => name === modifiedColumn.name || origin === partitionOrigin)
    .map(({ name }) => name);
  const paths = `[${files.map(({ path }) => literal(path)).join(", ")}]`;
  const textOf = (at: number, name: string) =>
    name === modifiedColumn.name ? files[at]?.modified : partitions[at]?.get(name.toLowerCase())?.value;
  return {
    has: (name: string) => names.includes(name),
    reference(name: string) {
      const values = files.map((_, at) => {
        const value = textOf(at, name);
        return typeof value === "string" ? literal(value) : "NULL";
      });
      return `CAST([${values.join(", ")}] AS VARCHAR[])[list_position(${paths}, row.${pathColumn})]`;
    },
  };
}

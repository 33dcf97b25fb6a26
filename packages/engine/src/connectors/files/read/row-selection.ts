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
  // Without a column of their own, the rows have at least their path.
  const shape = `SELECT ${nulls.length > 0 ? nulls.join(", ") : `CAST(NULL AS VARCHAR) AS ${pathColumn}`} WHERE false`;
  const select = columns.map(valueSql).join(", ");
  const watermark = columns.find(({ name }) => name === since?.column);
  if (!since || !watermark) return { select, shape, conditions: ofFile.join };
  const condition = `TRY_CAST(${valueSql(watermark)} AS ${watermark.type}) >= CAST(${literal(since.value)} AS ${watermark.type})`;
  return { select, shape, conditions: `${ofFile.join} WHERE coalesce(${condition}, true)` };
}

/** SQL: the values that all rows of a file share, in a table that is joined by the path of the file. */
function fileValues(files: readonly OpenedFile[], columns: readonly WarehouseColumn[]) {
  const partitions = files.map(({ name }) => partitionsOf(name));
  const names = columns
    .filter(({ name, origin }) => name === modifiedColumn.name || origin === partitionOrigin)
    .map(({ name }) => name);
  const reference = (name: string) => `_lakehelm_file.v${names.indexOf(name)}`;
  const textOf = (at: number, name: string) =>
    name === modifiedColumn.name ? files[at]?.modified : partitions[at]?.get(name.toLowerCase())?.value;
  const rows = files.map(({ path }, at) => {
    const values = names.map((name) => {
      const value = textOf(at, name);
      return typeof value === "string" ? literal(value) : "CAST(NULL AS VARCHAR)";
    });
    return `(${[literal(path), ...values].join(", ")})`;
  });
  const aliases = ["path", ...names.map((_, at) => `v${at}`)].join(", ");
  return {
    has: (name: string) => names.includes(name),
    reference,
    join:
      names.length === 0
        ? ""
        : ` JOIN (VALUES ${rows.join(", ")}) AS _lakehelm_file(${aliases}) ON row.${pathColumn} = _lakehelm_file.path`,
  };
}

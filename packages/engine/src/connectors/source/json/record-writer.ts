import type { WarehouseColumn } from "../../../protocol/column.ts";
import type { CellValue } from "../../../warehouse/cell-value.ts";
import type { RowWriter } from "../../../warehouse/ring-buffer/row-writer.ts";
import { misfit } from "../exact-text.ts";
import type { Since } from "../source.ts";
import { isSince } from "../watermark-filter.ts";
import { cellReader, textOf } from "./cells.ts";
import type { JsonRecord } from "./exact-json.ts";

export interface RecordWriterOptions {
  readonly columns: readonly WarehouseColumn[];
  readonly since: (Since & { readonly type: string }) | undefined;
}

/** Writes records as rows. What a column cannot hold makes a reject of its record; what is below the mark is left out. */
export function recordWriter(
  rows: RowWriter,
  { columns, since }: RecordWriterOptions,
): (record: JsonRecord) => void {
  const readers = columns.map(cellReader);
  const wanted = since ? isSince(since.type, since.value) : () => true;
  return (record) => {
    const mark = since ? (record[since.column] ?? null) : null;
    if (!wanted(mark === null ? null : textOf(mark))) return;
    const cells: CellValue[] = [];
    for (const [at, column] of columns.entries()) {
      const value = Object.hasOwn(record, column.name) ? record[column.name] : null;
      const cell = readers[at]?.(value);
      if (cell === undefined) {
        rows.reject(misfit(column, textOf(value)), plain(record, columns));
        return;
      }
      cells.push(cell);
    }
    rows.row(cells);
  };
}

/** Only what was asked for: the other fields may be there to be left behind. */
const plain = (record: JsonRecord, columns: readonly WarehouseColumn[]) =>
  Object.fromEntries(columns.map(({ name }) => [name, shown(record[name] ?? null)]));

/** Raw numbers do not pass from thread to thread; their digits do. */
const shown = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

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

/**
 * Writes records as rows. A record with a value that does not fit its column is rejected. Records below the watermark are
 * skipped.
 */
export function recordWriter(
  rows: RowWriter,
  { columns, since }: RecordWriterOptions,
): (record: JsonRecord, location?: string) => void {
  const readers = columns.map(cellReader);
  const isSelected = since ? isSince(since.type, since.value) : () => true;
  return (record, location) => {
    const watermark = since ? (record[since.column] ?? null) : null;
    if (!isSelected(watermark === null ? null : textOf(watermark))) return;
    const cells: CellValue[] = [];
    for (const [at, column] of columns.entries()) {
      const value = Object.hasOwn(record, column.name) ? record[column.name] : null;
      const cell = readers[at]?.(value);
      if (cell === undefined) {
        const reason = misfit(column, textOf(value));
        rows.reject(location === undefined ? reason : `${location}: ${reason}`, plain(record, columns));
        return;
      }
      cells.push(cell);
    }
    rows.row(cells);
  };
}

/** Only the selected columns: the others may have been left out on purpose. */
const plain = (record: JsonRecord, columns: readonly WarehouseColumn[]) =>
  Object.fromEntries(columns.map(({ name }) => [name, transferable(record[name] ?? null)]));

/** Raw JSON numbers cannot be sent between threads, but strings can. */
const transferable = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

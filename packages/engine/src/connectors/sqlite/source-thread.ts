/** The thread that reads a SQLite table. SQLite's calls are synchronous. */
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { openRowWriter, type ReadRows } from "../../warehouse/ring-buffer/row-writer.ts";
import { misfit } from "../source/exact-text.ts";
import type { Since } from "../source/source.ts";
import { isSince } from "../source/watermark-filter.ts";
import { openForeignSqlite } from "./file.ts";
import { sqliteProblem } from "./problem.ts";
import { type SqliteValue, valueReader } from "./values.ts";

export interface SqliteThreadInput {
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly (string | number | bigint)[];
  readonly columns: readonly WarehouseColumn[];
  /** The watermark, and the index of its column in the SELECT. */
  readonly since: (Since & { readonly type: string; readonly at: number }) | undefined;
}

export const read: ReadRows<SqliteThreadInput> = ({ path, sql, parameters, columns, since }, ring) => {
  const rows = openRowWriter(ring);
  const readers = columns.map(valueReader);
  const isSelected = since ? isSince(since.type, since.value) : () => true;

  try {
    using database = openForeignSqlite(path, { readOnly: true, timeout: 10_000 });
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    for (const row of statement.iterate(...parameters)) writeRow(row as unknown as readonly SqliteValue[]);
    rows.end();
  } catch (error) {
    throw sqliteProblem(path, error);
  }

  function writeRow(row: readonly SqliteValue[]): void {
    const watermark = since ? row[since.at] : undefined;
    const isComparable = watermark !== undefined && watermark !== null && !(watermark instanceof Uint8Array);
    if (!isSelected(isComparable ? String(watermark) : null)) return;
    const cells: CellValue[] = [];
    let bytes = 0;
    for (const [at, column] of columns.entries()) {
      const cell = readers[at]?.(row[at] ?? null);
      if (cell === undefined) {
        rows.reject(misfit(column, readable(row[at])), asObject(columns, row));
        return;
      }
      cells.push(cell);
      bytes += sizeOf(cell);
    }
    rows.received(bytes);
    rows.row(cells);
  }
};

/** Approximately what SQLite stores: the length of text and blobs, eight bytes for a number. */
function sizeOf(cell: CellValue): number {
  return cell === null ? 0 : typeof cell === "string" || cell instanceof Uint8Array ? cell.length : 8;
}

function readable(value: SqliteValue | undefined): unknown {
  return value instanceof Uint8Array ? `x'${Buffer.from(value.subarray(0, 50)).toString("hex")}'` : value;
}

function asObject(columns: readonly WarehouseColumn[], row: readonly SqliteValue[]): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name }, at) => [name, readable(row[at])]));
}

import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  type DuckDBDataChunk,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { streamChunks } from "../result-chunks.ts";

export interface ResultPage {
  /** By column. */
  readonly values: readonly (readonly DuckDBValue[])[];
  readonly count: number;
  readonly more: boolean;
}

/**
 * A page is in memory several times while it is sent, so it ends at this size, even if it could have more rows. It has at
 * least one.
 */
const maxBytes = 16_000_000;

/** Reads the rows of a page, and at most one chunk after it. Only the first `width` columns are returned. */
export async function readPage(
  result: DuckDBResult,
  width: number,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<ResultPage> {
  const values: DuckDBValue[][] = Array.from({ length: width }, () => []);
  let rowsRead = 0;
  let count = 0;
  let bytes = 0;
  for await (const chunk of streamChunks(result)) {
    for (let row = Math.max(0, skip - rowsRead); row < chunk.rowCount; row += 1) {
      if (count === limit) return { values, count, more: true };
      const cells = cellsOf(chunk, row, width);
      bytes += cells.reduce((sum: number, cell) => sum + sizeOf(cell), 0);
      if (bytes > maxBytes && count > 0) return { values, count, more: true };
      for (const [index, cell] of cells.entries()) values[index]?.push(cell);
      count += 1;
    }
    rowsRead += chunk.rowCount;
  }
  return { values, count, more: false };
}

const cellsOf = (chunk: DuckDBDataChunk, row: number, width: number): DuckDBValue[] =>
  Array.from({ length: width }, (_, index) => chunk.getColumnVector(index).getItem(row));

/** An estimate of a value's size in bytes. */
function sizeOf(value: DuckDBValue): number {
  if (typeof value === "string") return value.length;
  if (value instanceof DuckDBBlobValue) return value.bytes.length;
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return sumOf(value.items);
  if (value instanceof DuckDBStructValue) return sumOf(Object.values(value.entries));
  if (value instanceof DuckDBMapValue) return sumOf(value.entries.flatMap(({ key, value: of }) => [key, of]));
  return 16;
}

const sumOf = (values: readonly DuckDBValue[]): number =>
  values.reduce((sum: number, value) => sum + sizeOf(value), 16);

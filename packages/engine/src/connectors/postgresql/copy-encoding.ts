import type { DuckDBDataChunk, DuckDBResult, DuckDBType } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import { collectYoungGarbage } from "../../warehouse/garbage-collection.ts";
import { CopyBuffers } from "./copy-buffers.ts";
import { type FieldEncoder, fieldEncoder } from "./field-encoder.ts";

/** Called for a row that PostgreSQL cannot store: the column, the reason, and the row's values as JSON has them. */
export type RefuseRow = (column: number, reason: string, values: readonly unknown[]) => void;

/** `PGCOPY\n\xff\r\n\0`, no flags, no extension. */
const header = Buffer.from("5047434f50590aff0d0a000000000000000000", "hex");
const chunksBetweenCollections = 16;
const trailer = Buffer.from([0xff, 0xff]);

/**
 * Encodes a DuckDB result as `COPY … FROM STDIN (FORMAT binary)` expects it, in buffers of 256 KiB. Each column is encoded as the
 * most similar PostgreSQL type. Select text as `column || ''`, which is faster to read (vector-values.ts). Rows that PostgreSQL
 * cannot store are passed to `refuse` and left out.
 */
export async function* encodeCopy(result: DuckDBResult, refuse: RefuseRow): AsyncGenerator<Buffer> {
  const types = result.columnTypes();
  const buffers = new CopyBuffers();
  yield header;
  let chunks = 0;
  let next = result.fetchChunk();
  for (;;) {
    const chunk = await next;
    if (!chunk || chunk.rowCount === 0) break;
    // DuckDB computes the next chunk while this one is encoded.
    next = result.fetchChunk();
    next.catch(() => {});
    encodeChunk(chunk, types, buffers, refuse);
    duckdb.data_chunk_reset(chunk.chunk);
    if (++chunks % chunksBetweenCollections === 0) collectYoungGarbage();
    yield* buffers.takeFull();
  }
  yield* buffers.takeRest();
  yield trailer;
}

function encodeChunk(
  chunk: DuckDBDataChunk,
  types: readonly DuckDBType[],
  buffers: CopyBuffers,
  refuse: RefuseRow,
): void {
  const rows = chunk.rowCount;
  const columns = types.map((type, column) => fieldEncoder(type, chunk.chunk, column, rows));
  for (let row = 0; row < rows; row++) {
    const refused = encodeRow(columns, row, buffers);
    if (refused < 0) continue;
    refuse(refused, columns[refused]?.refusal ?? "", chunk.getRowValues(row).map(jsonValue));
  }
}

/** Returns the column that cannot be encoded, or -1. */
function encodeRow(columns: readonly FieldEncoder[], row: number, buffers: CopyBuffers): number {
  let size = 2;
  for (const column of columns) size += column.size(row);
  const start = buffers.reserve(size);
  const { view, bytes } = buffers;
  view.setInt16(start, columns.length);
  let at = start + 2;
  for (let column = 0; column < columns.length; column++) {
    const end = (columns[column] as FieldEncoder).write(row, bytes, view, at);
    if (end < 0) return column;
    at = end;
  }
  buffers.used = at;
  return -1;
}

const jsonValue = (value: unknown): unknown =>
  value === null || typeof value === "boolean" || typeof value === "number" ? value : String(value);

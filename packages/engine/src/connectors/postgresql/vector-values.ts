import duckdb from "@duckdb/node-bindings";

/** The values of one column of a chunk, copied from DuckDB's memory. */
export interface ColumnValues {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Undefined if no value is NULL. */
  readonly validity: Uint8Array | undefined;
  /** Text and blobs that do not fit into their entry. */
  readonly long: LongValues | undefined;
}

/** The location of each long value, by row. */
interface LongValues {
  readonly runs: readonly Buffer[];
  /** By run: whether it contains a zero byte. */
  readonly withNul: readonly boolean[];
  readonly run: Int32Array;
  readonly at: Int32Array;
}

const entryBytes = 16;
export const inlineBytes = 12;
/** A gap of less than a page between two values is readable memory. */
const largestGap = 4096;

export function readColumn(
  chunk: duckdb.DataChunk,
  column: number,
  rows: number,
  width: number,
  isText: boolean,
): ColumnValues {
  const vector = duckdb.data_chunk_get_vector(chunk, column);
  const data = duckdb.vector_get_data(vector, rows * width);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const validity = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? undefined;
  return { bytes, view, validity, long: isText ? readLong(bytes, view, validity, rows) : undefined };
}

export const isNull = (validity: Uint8Array | undefined, row: number): boolean =>
  validity !== undefined && ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;

/**
 * Reads adjacent values in one call instead of one call per value. DuckDB stores the values of `column || ''` one after the
 * other: about five calls per column and chunk instead of 2048.
 */
function readLong(
  bytes: Buffer,
  view: DataView,
  validity: Uint8Array | undefined,
  rows: number,
): LongValues | undefined {
  const run = new Int32Array(rows);
  const at = new Int32Array(rows);
  const runs: Buffer[] = [];
  /** The row of the run's first value, and the run's bounds in memory. Addresses fit into a double. */
  let first = -1;
  let start = 0;
  let end = 0;
  const readRun = () => {
    if (first < 0) return;
    // The call follows the pointer of the first value.
    const pointer = bytes.byteOffset + first * entryBytes + 8;
    const read = duckdb.get_data_from_pointer(bytes.buffer as ArrayBuffer, pointer, end - start);
    runs.push(Buffer.from(read.buffer, read.byteOffset, read.byteLength));
  };
  for (let row = 0; row < rows; row++) {
    const entry = row * entryBytes;
    const length = view.getUint32(entry, true);
    if (length <= inlineBytes || isNull(validity, row)) continue;
    const address = view.getUint32(entry + 12, true) * 2 ** 32 + view.getUint32(entry + 8, true);
    if (first < 0 || address < start || address > end + largestGap) {
      readRun();
      first = row;
      start = address;
      end = address;
    }
    end = Math.max(end, address + length);
    run[row] = runs.length;
    at[row] = address - start;
  }
  readRun();
  if (runs.length === 0) return undefined;
  return { runs, withNul: runs.map((one) => one.includes(0)), run, at };
}

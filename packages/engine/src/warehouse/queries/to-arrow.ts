import type { DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import { columnFromArray, tableFromColumns, tableToIPC } from "@uwdata/flechette";
import { type Conversion, converting } from "./arrow-types.ts";
import type { Slice } from "./page.ts";

/** The rows as an Arrow IPC stream. */
export function arrowStream(result: DuckDBResult, chunks: readonly Slice[]): Uint8Array {
  const columns = result.columnNames().map((name, index) => {
    const { type, convert, name: nameType } = converting(result.columnType(index));
    const column = columnFromArray(valuesOf(chunks, index, convert), type);
    nameType();
    return [name, column] as [string, typeof column];
  });
  const bytes = tableToIPC(tableFromColumns(columns), { format: "stream" });
  if (!bytes) throw new Error("No Arrow stream came of the rows.");
  return bytes;
}

function valuesOf(chunks: readonly Slice[], index: number, convert: Conversion["convert"]): unknown[] {
  return chunks.flatMap(({ chunk, from, to }) =>
    chunk
      .getColumnValues(index)
      .slice(from, to)
      .map((value: DuckDBValue) => (value === null ? null : convert(value))),
  );
}

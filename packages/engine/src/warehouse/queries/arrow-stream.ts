import type { DuckDBType } from "@duckdb/node-api";
import { columnFromArray, tableFromColumns, tableToIPC } from "@uwdata/flechette";
import { arrowConversion } from "./arrow-types.ts";
import type { ResultPage } from "./result-page.ts";

interface ArrowColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/** Encodes the rows as an Arrow IPC stream. */
export function arrowStream(resultColumns: readonly ArrowColumn[], { values }: ResultPage): Uint8Array {
  const columns = resultColumns.map(({ name, type: from }, index) => {
    const { type, convert, name: nameType } = arrowConversion(from);
    const cells = values[index]?.map((value) => (value === null ? null : convert(value))) ?? [];
    const column = columnFromArray(cells, type);
    nameType();
    return [name, column] as [string, typeof column];
  });
  const bytes = tableToIPC(tableFromColumns(columns), { format: "stream" });
  if (!bytes) throw new Error("The rows could not be encoded as an Arrow stream.");
  return bytes;
}

import type { DuckDBType } from "@duckdb/node-api";
import { columnFromArray, tableFromColumns, tableToIPC } from "@uwdata/flechette";
import { converting } from "./arrow-types.ts";
import type { Page } from "./result-page.ts";

interface GivenColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/** The rows as an Arrow IPC stream. */
export function arrowStream(given: readonly GivenColumn[], { values }: Page): Uint8Array {
  const columns = given.map(({ name, type: from }, index) => {
    const { type, convert, name: nameType } = converting(from);
    const cells = values[index]?.map((value) => (value === null ? null : convert(value))) ?? [];
    const column = columnFromArray(cells, type);
    nameType();
    return [name, column] as [string, typeof column];
  });
  const bytes = tableToIPC(tableFromColumns(columns), { format: "stream" });
  if (!bytes) throw new Error("No Arrow stream came of the rows.");
  return bytes;
}

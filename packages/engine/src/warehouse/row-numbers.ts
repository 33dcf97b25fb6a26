import type { DuckDBConnection } from "@duckdb/node-api";
import { quote } from "./names.ts";

/** The column of a subquery with DuckDB's own numbers of the rows of its table. */
export const rowNumber = "_lakehelm_row_id";

const hidden = quote("_lakehelm_hidden_rowid");

/**
 * A table with the numbers of its rows. A column that is named `rowid` hides them, and its values would be taken for them: it gets
 * another name inside.
 */
export async function withRowNumbers(connection: DuckDBConnection, table: string): Promise<string> {
  const found = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${table}`);
  const names = found.getRowsJson().map(([name]) => String(name));
  const own = names.find((name) => name.toLowerCase() === "rowid");
  if (own === undefined) return `(SELECT rowid AS ${rowNumber}, * FROM ${table})`;
  const inside = names.map((name) => (name === own ? hidden : quote(name))).join(", ");
  return `(SELECT rowid AS ${rowNumber}, * RENAME (${hidden} AS ${quote(own)}) FROM ${table} AS t(${inside}))`;
}

import type { DuckDBConnection } from "@duckdb/node-api";
import { quote } from "./names.ts";
import { rowsChanged } from "./relation.ts";

/** The column of a subquery with DuckDB's own numbers of the rows of its table. */
export const rowNumber = "_lakehelm_row_id";

const hidden = quote("_lakehelm_hidden_rowid");

async function columnNames(connection: DuckDBConnection, table: string): Promise<string[]> {
  const found = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${table}`);
  return found.getRowsJson().map(([name]) => String(name));
}

/** A column that is named `rowid` hides the numbers of the rows, and its values would be taken for them. */
const hidingColumn = (names: readonly string[]): string | undefined =>
  names.find((name) => name.toLowerCase() === "rowid");

/** Whether a column of the table hides the numbers of its rows. */
export const hidesRowNumbers = async (connection: DuckDBConnection, table: string): Promise<boolean> =>
  hidingColumn(await columnNames(connection, table)) !== undefined;

/** A table with the numbers of its rows. A column that hides them gets another name inside. */
export async function withRowNumbers(connection: DuckDBConnection, table: string): Promise<string> {
  const names = await columnNames(connection, table);
  const own = hidingColumn(names);
  if (own === undefined) return `(SELECT rowid AS ${rowNumber}, * FROM ${table})`;
  const inside = names.map((name) => (name === own ? hidden : quote(name))).join(", ");
  return `(SELECT rowid AS ${rowNumber}, * RENAME (${hidden} AS ${quote(own)}) FROM ${table} AS t(${inside}))`;
}

/** Deletes the rows with the numbers of a query, in a transaction. A column that hides the numbers has another name meanwhile. */
export async function deleteNumberedRows(
  connection: DuckDBConnection,
  table: string,
  numbers: string,
): Promise<number> {
  const own = hidingColumn(await columnNames(connection, table));
  const rename = async (from: string, to: string) => {
    if (own !== undefined) await connection.run(`ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`);
  };
  await rename("rowid", hidden);
  const deleted = await rowsChanged(connection, `DELETE FROM ${table} WHERE rowid IN (${numbers})`);
  await rename(hidden, quote(own ?? ""));
  return deleted;
}

import type { DuckDBConnection } from "@duckdb/node-api";
import { isAbout, versionsTable } from "./internal-tables.ts";
import type { TableName } from "./names.ts";

/** The version of a table, and the last one in which existing rows were changed; 0: nothing has written it. */
export async function readVersion(
  connection: DuckDBConnection,
  table: TableName,
): Promise<{ readonly version: number; readonly rewritten: number }> {
  const found = await connection.runAndReadAll(
    `SELECT version, rewritten FROM ${versionsTable(table.catalog)} WHERE ${isAbout(table)}`,
  );
  const [version = 0, rewritten = 0] = (found.getRowsJson()[0] ?? []).map(Number);
  return { version, rewritten };
}

import type { DuckDBConnection } from "@duckdb/node-api";
import { isAbout, versionsTable } from "./internal-tables.ts";
import type { TableName } from "./names.ts";

/**
 * The version of a table, the last version in which existing rows were changed, and the last version in which all rows
 * were replaced; 0 if there is none.
 */
export async function readVersion(
  connection: DuckDBConnection,
  table: TableName,
): Promise<{ readonly version: number; readonly rewritten: number; readonly recreated: number }> {
  const found = await connection.runAndReadAll(
    `SELECT version, rewritten, coalesce(recreated, 0) FROM ${versionsTable(table.catalog)} WHERE ${isAbout(table)}`,
  );
  const [version = 0, rewritten = 0, recreated = 0] = (found.getRowsJson()[0] ?? []).map(Number);
  return { version, rewritten, recreated };
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { Dataset } from "../protocol/transfer.ts";
import { quote, sqlName, type TableName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import type { StreamSettingsChange } from "./stream-settings.ts";

/**
 * The columns of the table that the run drops: those that the last run still wrote and that are left out now. If an
 * earlier version of Lakehelm kept such values without recording it, a full refresh drops their columns.
 */
export async function leftOutColumns(
  connection: DuckDBConnection,
  table: TableName,
  { leftOut, deletes, strategy }: Dataset,
  { droppedColumns }: Pick<StreamSettingsChange, "droppedColumns">,
  fromStart = false,
): Promise<readonly string[]> {
  if (leftOut.length === 0) return [];
  const isFullRefresh = fromStart && (deletes || strategy === "replace");
  const names = isFullRefresh ? leftOut : droppedColumns;
  const existing = (await readColumns(connection, table)) ?? [];
  return existing.map(({ name }) => name).filter((name) => names.some((one) => sameName(one, name)));
}

export async function dropLeftOut(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly string[],
): Promise<void> {
  for (const name of columns)
    await connection.run(`ALTER TABLE ${sqlName(table)} DROP COLUMN ${quote(name)}`);
}

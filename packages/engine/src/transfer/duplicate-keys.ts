import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName, type TableName } from "../warehouse/names.ts";
import { countRows, sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";

/** Whether a table has rows without a key, or several rows with the same key. */
export async function hasDuplicateKeys(
  connection: DuckDBConnection,
  table: TableName,
  keys: readonly string[],
): Promise<boolean> {
  if (keys.length === 0) return false;
  const name = sqlName(table);
  const columns = (await readColumns(connection, table)) ?? [];
  const isThere = (key: string) => columns.some((column) => sameName(column.name, key));
  if (!keys.every(isThere)) return (await countRows(connection, `(SELECT 1 FROM ${name} LIMIT 1)`)) > 0;
  const key = keys.map(quote).join(", ");
  return (
    (await countRows(connection, `(SELECT 1 FROM ${name} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1)`)) > 0
  );
}

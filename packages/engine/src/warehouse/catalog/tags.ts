import type { DuckDBConnection } from "@duckdb/node-api";
import { tagsTable } from "../internal-tables.ts";
import type { TableName } from "../names.ts";

type Tags = Readonly<Record<string, string>>;

export type TagLookup = (schema: string, table: string, column?: string) => Tags;

/** All tags of a catalog. Tags of the table itself have an empty column. */
export async function readTags(connection: DuckDBConnection, catalog: string): Promise<TagLookup> {
  const found = await connection.runAndReadAll(
    `SELECT "schema", "table", "column", "key", "value" FROM ${tagsTable(catalog)} ORDER BY ALL`,
  );
  const tags = new Map<string, [string, string][]>();
  for (const [schema, table, column, key, value] of found.getRowsJson()) {
    const owner = JSON.stringify([schema, table, column]);
    tags.set(owner, [...(tags.get(owner) ?? []), [String(key), String(value)]]);
  }
  return (schema, table, column = "") =>
    Object.fromEntries(tags.get(JSON.stringify([schema, table, column])) ?? []);
}

/** Sets tags, and removes those whose value is null. */
export async function writeTags(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
  column: string,
  tags: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [key, value] of Object.entries(tags)) {
    const owner = [schema, table, column, key];
    await connection.run(
      `DELETE FROM ${tagsTable(catalog)} WHERE "schema" = $1 AND "table" = $2 AND "column" = $3 AND "key" = $4`,
      owner,
    );
    if (value === null) continue;
    await connection.run(`INSERT INTO ${tagsTable(catalog)} VALUES ($1, $2, $3, $4, $5)`, [...owner, value]);
  }
}

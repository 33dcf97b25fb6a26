import type { DuckDBConnection } from "@duckdb/node-api";
import { literal, type TableName } from "../warehouse/names.ts";
import { datasetsOf } from "../warehouse/own-tables.ts";

/** Whose dataset a table is, and of which kind. */
export interface Owned {
  readonly pipeline: string;
  readonly kind: string;
  readonly properties: string;
  /** What a view was made of: one that is the same is not made again. */
  readonly definition: string;
}

const which = ({ schema, table }: TableName): string =>
  `"schema" = ${literal(schema)} AND "table" = ${literal(table)}`;

/** Undefined: the table is no pipeline's. */
export async function ownerOf(connection: DuckDBConnection, name: TableName): Promise<Owned | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT pipeline, kind, properties, definition FROM ${datasetsOf(name.catalog)} WHERE ${which(name)}`,
  );
  const [row] = found.getRowsJson();
  if (!row) return undefined;
  const [pipeline, kind, properties, definition] = row.map(String) as [string, string, string, string];
  return { pipeline, kind, properties, definition };
}

export async function own(connection: DuckDBConnection, name: TableName, owned: Owned): Promise<void> {
  const known = await ownerOf(connection, name);
  if (JSON.stringify(known) === JSON.stringify(owned)) return;
  await disown(connection, name);
  const { pipeline, kind, properties, definition } = owned;
  const values = [name.schema, name.table, pipeline, kind, properties, definition].map(literal);
  await connection.run(`INSERT INTO ${datasetsOf(name.catalog)} VALUES (${values.join(", ")})`);
}

export async function disown(connection: DuckDBConnection, name: TableName): Promise<void> {
  await connection.run(`DELETE FROM ${datasetsOf(name.catalog)} WHERE ${which(name)}`);
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { databaseAlias, internalSchema, literal, sqlName, type TableName } from "../warehouse/names.ts";

const lowerCase = ({ catalog, schema, table }: TableName): TableName => ({
  catalog: catalog.toLowerCase(),
  schema: schema.toLowerCase(),
  table: table.toLowerCase(),
});

/** The table that stores the rows of a dataset. A private one is in the internal schema, which queries cannot read. */
export function storageOf(pipeline: string, { table, isPrivate }: PipelineDataset): TableName {
  const name = lowerCase(table);
  if (!isPrivate) return name;
  return { ...name, schema: internalSchema, table: `${pipeline} ${name.schema}.${name.table}` };
}

/** A table with state of a flow that its target does not contain. */
export function eventStorage(
  pipeline: string,
  { table }: Pick<PipelineDataset, "table">,
  what: string,
): TableName {
  const name = lowerCase(table);
  return { ...name, schema: internalSchema, table: `${what} of ${pipeline} ${name.schema}.${name.table}` };
}

/** Splits `catalog.schema.table`, as plans write it. */
export function splitName(name: string): TableName {
  const [catalog = "", schema = "", ...table] = name.split(".");
  return { catalog, schema, table: table.join(".") };
}

/** The DuckDB name of a table with that full name. */
export const duckdbName = (name: string): string => sqlName(splitName(name));

/** Whether a name is a table or a view. */
export async function relationKind(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
): Promise<"table" | "view" | undefined> {
  const at = `database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)}`;
  const found = await connection.runAndReadAll(
    `SELECT 'table' FROM duckdb_tables() WHERE ${at} AND table_name = ${literal(table)}
     UNION ALL SELECT 'view' FROM duckdb_views() WHERE ${at} AND view_name = ${literal(table)}`,
  );
  const kind = found.getRowsJson()[0]?.[0];
  return kind === "table" || kind === "view" ? kind : undefined;
}

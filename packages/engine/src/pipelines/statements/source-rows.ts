import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName, type TableName } from "../../warehouse/names.ts";
import { mayName, tablesIn } from "../code/table-substitution.ts";

const stage = `"temp"."main"."staged_rows"`;

/**
 * The rows of a query as a relation, before its statement changes the table. A query that reads the table is
 * materialized: the statement may empty the table first, and DuckDB's INSERT sees its own rows in the second part of a
 * UNION ALL.
 */
export async function sourceRows(
  connection: DuckDBConnection,
  table: TableName,
  query: string,
): Promise<string> {
  if (!(await mayRead(connection, query, table))) return `(${query})`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${stage} AS ${query}`);
  return stage;
}

export const dropStaged = (connection: DuckDBConnection) => connection.run(`DROP TABLE IF EXISTS ${stage}`);

/** Whether a query names the table, or a view, which may read it. */
async function mayRead(connection: DuckDBConnection, query: string, table: TableName): Promise<boolean> {
  const views = await connection.runAndReadAll(
    "SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal",
  );
  const names = [
    sqlName(table),
    ...views.getRowsJson().map((parts) => parts.map((part) => quote(String(part))).join(".")),
  ];
  if (!mayName(query, names)) return false;
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return (await tablesIn(connection, query)).some((name) => wanted.has(name.toLowerCase()));
}

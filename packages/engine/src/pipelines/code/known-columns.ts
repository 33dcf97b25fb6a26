import type { DuckDBConnection } from "@duckdb/node-api";
import { databaseAlias, fullName, internalSchema, literal } from "../../warehouse/names.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** The columns of every table and view that callers can see, by `catalog.schema.table`. */
export async function knownColumns(
  warehouse: Warehouse,
  connection: DuckDBConnection,
): Promise<Map<string, string[]>> {
  const catalogs = new Map(warehouse.catalogs.map((catalog) => [databaseAlias(catalog), catalog]));
  const found = await connection.runAndReadAll(
    `SELECT database_name, schema_name, table_name, column_name FROM duckdb_columns()
     WHERE NOT internal AND schema_name <> ${literal(internalSchema)} ORDER BY database_name, schema_name, table_name, column_index`,
  );
  const known = new Map<string, string[]>();
  for (const [alias, schema, table, column] of found.getRowsJson()) {
    const catalog = catalogs.get(String(alias));
    if (catalog === undefined) continue;
    const name = fullName({ catalog, schema: String(schema), table: String(table) }).toLowerCase();
    const columns = known.get(name) ?? [];
    known.set(name, columns);
    columns.push(String(column));
  }
  return known;
}

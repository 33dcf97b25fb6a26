import type { DuckDBConnection } from "@duckdb/node-api";
import { databricksType } from "../../protocol/types.ts";
import { databaseAlias, fullName, internalSchema, literal } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";

/** The columns of every table and view that callers can see, by `catalog.schema.table`: their types by their names. */
export async function knownColumnTypes(
  warehouse: Warehouse,
  connection: DuckDBConnection,
): Promise<Map<string, Record<string, string>>> {
  const catalogs = new Map(warehouse.catalogs.map((catalog) => [databaseAlias(catalog), catalog]));
  const found = await connection.runAndReadAll(
    `SELECT database_name, schema_name, table_name, column_name, data_type FROM duckdb_columns()
     WHERE NOT internal AND schema_name <> ${literal(internalSchema)} ORDER BY database_name, schema_name, table_name, column_index`,
  );
  const known = new Map<string, [string, string][]>();
  for (const [alias, schema, table, column, type] of found.getRowsJson()) {
    const catalog = catalogs.get(String(alias));
    if (catalog === undefined) continue;
    const name = fullName({ catalog, schema: String(schema), table: String(table) }).toLowerCase();
    const columns = known.get(name) ?? [];
    known.set(name, columns);
    columns.push([String(column), databricksType(String(type))]);
  }
  return new Map([...known].map(([name, columns]) => [name, Object.fromEntries(columns)]));
}

/** The names of the columns of every table and view that callers can see, by `catalog.schema.table`. */
export async function knownColumns(
  warehouse: Warehouse,
  connection: DuckDBConnection,
): Promise<Map<string, string[]>> {
  const types = await knownColumnTypes(warehouse, connection);
  return new Map([...types].map(([name, columns]) => [name, Object.keys(columns)]));
}

import type { DuckDBConnection } from "@duckdb/node-api";
import { suggestion } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { databaseAlias, fullName, literal, type TableName } from "./names.ts";
import type { Warehouse } from "./warehouse.ts";

/** The columns of a table in order, as this transaction sees them; undefined if there is no such table. */
export async function readColumns(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
): Promise<WarehouseColumn[] | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT column_name, data_type FROM duckdb_columns() WHERE database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)} ORDER BY column_index`,
  );
  const columns = found.getRowsJson().map(([name, type]) => ({
    name: String(name),
    type: String(type),
    origin: String(type),
  }));
  return columns.length === 0 ? undefined : columns;
}

/** Throws a DataProblem that suggests the most similar name if there is no such table. */
export async function requireTable(warehouse: Warehouse, name: TableName): Promise<void> {
  if (await warehouse.hasTable(name)) return;
  const tables = (await warehouse.tables()).map(fullName);
  throw new DataProblem(`There is no table ${fullName(name)}.${suggestion(fullName(name), tables)}`);
}

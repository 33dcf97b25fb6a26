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

const integers = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"];

/** Whether every value of one type can be stored in the other without loss. */
export function isWidening(from: string, to: string): boolean {
  if (to === "VARCHAR") return !/[[(]|JSON|BLOB/.test(from) || /^DECIMAL/.test(from);
  if (integers.includes(from) && integers.includes(to)) return integers.indexOf(from) < integers.indexOf(to);
  if (from === "FLOAT") return to === "DOUBLE";
  const [narrow, wide] = [from, to].map((type) =>
    /^DECIMAL\((\d+),(\d+)\)$/.exec(type)?.slice(1).map(Number),
  );
  if (!narrow || !wide) return false;
  const [precision = 0, scale = 0] = narrow;
  const [widePrecision = 0, wideScale = 0] = wide;
  return scale <= wideScale && precision - scale <= widePrecision - wideScale;
}

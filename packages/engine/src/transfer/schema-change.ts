import type { DuckDBConnection } from "@duckdb/node-api";
import { suggestion } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { attachedAs, fullName, literal, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { same, value } from "../warehouse/relation.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** What must be done to a warehouse table before the rows fit into it. */
export interface Fitting {
  readonly create: boolean;
  readonly add: readonly WarehouseColumn[];
}

/** The columns of a table in its order, as this transaction sees them; undefined: there is no such table. */
export async function columnsOf(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
): Promise<WarehouseColumn[] | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT column_name, data_type FROM duckdb_columns() WHERE database_name = ${literal(attachedAs(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)} ORDER BY column_index`,
  );
  const columns = found.getRowsJson().map(([name, type]) => ({
    name: String(name),
    type: String(type),
    origin: String(type),
  }));
  return columns.length === 0 ? undefined : columns;
}

/** Throws a DataProblem with the nearest name where there is no such table. */
export async function requireTable(warehouse: Warehouse, name: TableName): Promise<void> {
  if (await warehouse.hasTable(name)) return;
  const tables = (await warehouse.tables()).map(fullName);
  throw new DataProblem(`There is no table ${fullName(name)}.${suggestion(fullName(name), tables)}`);
}

/** Throws a DataProblem that names the column where the type of one has changed. */
export async function fitting(
  connection: DuckDBConnection,
  name: TableName,
  columns: readonly WarehouseColumn[],
): Promise<Fitting> {
  const there = await columnsOf(connection, name);
  if (!there) return { create: true, add: [] };
  const add: WarehouseColumn[] = [];
  for (const column of columns) {
    const known = there.find((one) => same(one.name, column.name));
    if (!known) {
      add.push(column);
      continue;
    }
    const type = String(await value(connection, `SELECT typeof(CAST(NULL AS ${column.type}))`));
    if (type === known.type || widens(type, known.type)) continue;
    throw new DataProblem(
      `The type of the column ${JSON.stringify(column.name)} has changed: ${fullName(name)} keeps ${known.type}, and ${column.origin} has come, which is ${type}. Change one of them, or write to a new table.`,
    );
  }
  return { create: false, add };
}

export async function fit(
  connection: DuckDBConnection,
  name: TableName,
  columns: readonly WarehouseColumn[],
  { create, add }: Fitting,
): Promise<void> {
  if (create) await connection.run(`CREATE TABLE ${sqlName(name)} (${declared(columns)})`);
  for (const column of add)
    await connection.run(`ALTER TABLE ${sqlName(name)} ADD COLUMN ${declared([column])}`);
}

const declared = (columns: readonly WarehouseColumn[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(", ");

/** In words, for a preview. */
export const told = (name: TableName, { create, add }: Fitting): string[] =>
  create
    ? [`create the table ${fullName(name)}`]
    : add.map((column) => `add the column ${column.name} (${column.type}) to ${fullName(name)}`);

const integers = ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"];

/** Whether every value of the one type is a value of the other. */
export function widens(from: string, to: string): boolean {
  if (to === "VARCHAR") return !/[[(]|JSON|BLOB/.test(from) || /^DECIMAL/.test(from);
  if (integers.includes(from) && integers.includes(to)) return integers.indexOf(from) < integers.indexOf(to);
  if (from === "FLOAT") return to === "DOUBLE";
  const [one, other] = [from, to].map((type) => /^DECIMAL\((\d+),(\d+)\)$/.exec(type)?.slice(1).map(Number));
  if (!one || !other) return false;
  const [width = 0, scale = 0] = one;
  const [widthThere = 0, scaleThere = 0] = other;
  return scale <= scaleThere && width - scale <= widthThere - scaleThere;
}

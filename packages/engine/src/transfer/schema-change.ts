import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { fullName, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { sameName, scalar } from "../warehouse/relation.ts";
import { isWidening, readColumns } from "../warehouse/table-columns.ts";

/** The changes that a warehouse table needs before rows can be written to it. */
export interface SchemaChange {
  readonly create: boolean;
  readonly add: readonly WarehouseColumn[];
}

/** Throws a DataProblem that names the column if the type of a column has changed. */
export async function planSchemaChange(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
): Promise<SchemaChange> {
  const existing = await readColumns(connection, table);
  if (!existing) return { create: true, add: [] };
  const add: WarehouseColumn[] = [];
  for (const column of columns) {
    const known = existing.find(({ name }) => sameName(name, column.name));
    if (!known) {
      add.push(column);
      continue;
    }
    const type = String(await scalar(connection, `SELECT typeof(CAST(NULL AS ${column.type}))`));
    if (type === known.type || isWidening(type, known.type)) continue;
    throw new DataProblem(
      `The type of the column ${JSON.stringify(column.name)} has changed: it is ${known.type} in ${fullName(table)}, but the source now has ${column.origin}, which is ${type}. Change one of them, or write to a new table.`,
    );
  }
  return { create: false, add };
}

export async function applySchemaChange(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
  { create, add }: SchemaChange,
): Promise<void> {
  if (create) await connection.run(`CREATE TABLE ${sqlName(table)} (${declarations(columns)})`);
  for (const column of add)
    await connection.run(`ALTER TABLE ${sqlName(table)} ADD COLUMN ${declarations([column])}`);
}

const declarations = (columns: readonly WarehouseColumn[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(", ");

/** For a preview. */
export const describeSchemaChange = (table: TableName, { create, add }: SchemaChange): string[] =>
  create
    ? [`create the table ${fullName(table)}`]
    : add.map((column) => `add the column ${column.name} (${column.type}) to ${fullName(table)}`);

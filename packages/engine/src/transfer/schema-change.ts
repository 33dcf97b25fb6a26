import type { DuckDBConnection } from "@duckdb/node-api";
import { connectorRefreshCommand, setTypeCommand } from "@lakehelm/contract/changes";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { TransferRequest } from "../protocol/transfer.ts";
import { fullName, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { sameName, scalar } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { isWidening, widerOnDelta, widerType } from "../warehouse/type-widening.ts";
import { forgetKeptTypes } from "./kept-types.ts";

/** The changes that a warehouse table needs before rows can be written to it. */
export interface SchemaChange {
  readonly create: boolean;
  readonly add: readonly WarehouseColumn[];
  readonly retype: readonly RetypedColumn[];
}

/** A column of the table that gets another type. */
export interface RetypedColumn {
  /** The name as the table spells it. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The type's name in the source system. */
  readonly origin: string;
  /** Whether the new type holds every value of the old one. Otherwise all rows are written again. */
  readonly isWider: boolean;
}

/** Whether existing rows get other values. DuckDB widens a column in place: the rows keep their values and numbers. */
export const changesRows = ({ create, retype }: SchemaChange): boolean =>
  create || retype.some(({ isWider }) => !isWider);

export const isAltering = ({ create, add, retype }: SchemaChange): boolean =>
  create || add.length + retype.length > 0;

type Request = Pick<TransferRequest, "connector" | "dataset" | "changesTypes" | "cluster">;

/**
 * Throws a DataProblem that names the column if the new type of a column does not hold the values of the table, unless
 * the request asks for the change.
 */
export async function planSchemaChange(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
  request: Request,
): Promise<SchemaChange> {
  const existing = await readColumns(connection, table);
  if (!existing) return { create: true, add: [], retype: [] };
  const add: WarehouseColumn[] = [];
  const retype: RetypedColumn[] = [];
  for (const column of columns) {
    const known = existing.find(({ name }) => sameName(name, column.name));
    if (!known) {
      add.push(column);
      continue;
    }
    const type = String(await scalar(connection, `SELECT typeof(CAST(NULL AS ${column.type}))`));
    if (type === known.type || isWidening(type, known.type)) continue;
    const wider = column.widensTo ?? (request.cluster ? widerOnDelta : widerType)(known.type, type);
    if (wider === undefined && !request.changesTypes)
      throw changedType(table, column, known.type, type, request);
    const isWider = wider !== undefined;
    retype.push({ name: known.name, from: known.type, to: wider ?? type, origin: column.origin, isWider });
  }
  return { create: false, add, retype };
}

export const changedType = (
  table: TableName,
  column: WarehouseColumn,
  from: string,
  to: string,
  request: Request,
): DataProblem =>
  new DataProblem(
    `The type of the column ${JSON.stringify(column.name)} has changed: it is ${from} in ${fullName(table)}, but the source now has ${column.origin}, which is ${to} and may not hold the values that the table has. ${asText(table, column, from, to, request)}To change the column and read all rows again: ${refreshOf(request)}`,
  );

/**
 * A line with the command that makes the column text, if that is possible: the values of a key or a watermark would no
 * longer be comparable.
 */
export function asText(
  { catalog, schema, table }: TableName,
  { name }: Pick<WarehouseColumn, "name">,
  from: string,
  to: string,
  { dataset, cluster }: Pick<Request, "dataset" | "cluster">,
): string {
  // Delta only widens types of a table that stays.
  if (cluster) return "";
  const isCompared = [...dataset.keys, dataset.watermark ?? ""].some((one) => sameName(one, name));
  const isText = [from, to].every((type) => type === "VARCHAR" || isWidening(type, "VARCHAR"));
  if (isCompared || !isText) return "";
  return `To keep the rows and store both as text: ${setTypeCommand([catalog, schema, table], { [name]: "STRING" })}\n`;
}

const refreshOf = ({ connector, dataset }: Request): string =>
  connectorRefreshCommand(connector, dataset.target);

/** All changes come before the first row: DuckDB does not alter a table with changed rows. */
export async function applySchemaChange(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
  { create, add, retype }: SchemaChange,
  request: Request,
): Promise<void> {
  const name = sqlName(table);
  if (create) {
    await connection.run(`CREATE TABLE ${name} (${declarations(columns)})`);
    await forgetKeptTypes(connection, table);
  }
  const reload = `To change the column and read all rows again: ${refreshOf(request)}`;
  for (const column of retype) await retypeColumn(connection, table, column, reload);
  for (const column of add) await connection.run(`ALTER TABLE ${name} ADD COLUMN ${declarations([column])}`);
}

/** `advice`: what to do if a value does not fit. */
export async function retypeColumn(
  connection: DuckDBConnection,
  table: TableName,
  column: RetypedColumn,
  advice: string,
): Promise<void> {
  const { name, from, to } = column;
  try {
    await connection.run(
      `ALTER TABLE ${sqlName(table)} ALTER COLUMN ${quote(name)} SET DATA TYPE ${to} USING ${inNewType(column)}`,
    );
  } catch (error) {
    if (!/conversion/i.test(String(error))) throw error;
    throw new DataProblem(
      `The column ${JSON.stringify(name)} of ${fullName(table)} cannot change from ${from} to ${to}: the table has a value that does not fit. ${advice}`,
      { cause: error },
    );
  }
}

/** SQL: the value of a column in its new type. A value that does not fit is read again. */
export const inNewType = ({ name, to, isWider }: RetypedColumn): string =>
  `${isWider ? "CAST" : "TRY_CAST"}(${quote(name)} AS ${to})`;

const declarations = (columns: readonly WarehouseColumn[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(", ");

/** For the log and for a preview. */
export const describeRetyped = (table: TableName, { retype }: Pick<SchemaChange, "retype">): string[] =>
  retype.map(
    ({ name, from, to, origin }) =>
      `change the column ${name} of ${fullName(table)} from ${from} to ${to}, because the source now has ${origin}`,
  );

/** For a preview. */
export const describeSchemaChange = (table: TableName, change: SchemaChange): string[] =>
  change.create
    ? [`create the table ${fullName(table)}`]
    : [
        ...describeRetyped(table, change),
        ...change.add.map((column) => `add the column ${column.name} (${column.type}) to ${fullName(table)}`),
      ];

import pg from "pg";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { mapColumns } from "../target/column-mapping.ts";
import type { Destination } from "../target/target.ts";
import { type ColumnEncoding, columnEncoding, declaredType } from "./column-encoding.ts";
import {
  type ExistingPostgresTable,
  findTable,
  type PostgresTableName,
  quotedTable,
} from "./existing-table.ts";
import type { PostgresSession } from "./session.ts";

/** A column of the rows and its column in the table. */
export interface PostgresMappedColumn {
  /** The column in the warehouse, and its name in the table. */
  readonly column: WarehouseColumn;
  readonly name: string;
  /** The base type of the column in the table. */
  readonly base: string;
  readonly encoding: ColumnEncoding;
}

/** The table after the schema change, and the existing one. */
export interface PostgresTableMapping {
  /** The quoted name with its schema. */
  readonly table: string;
  readonly existing: ExistingPostgresTable | undefined;
  readonly columns: readonly PostgresMappedColumn[];
  /** The names of the key columns in the table. */
  readonly keys: readonly string[];
  readonly strategy: Destination["strategy"];
  /** The name of the watermark column in the warehouse. */
  readonly watermark: string | undefined;
}

/** PostgreSQL silently truncates longer names. */
const maxNameBytes = 63;

export async function mapTable(
  session: PostgresSession,
  tableName: PostgresTableName,
  { name: named, columns, keys, strategy, watermark }: Destination,
): Promise<PostgresTableMapping & { readonly added: readonly WarehouseColumn[] }> {
  const existing = await findTable(session, tableName);
  for (const name of [tableName.schema, tableName.table, ...columns.map((column) => column.name)]) {
    if (Buffer.byteLength(name) <= maxNameBytes) continue;
    throw new DataProblem(`"${name}" is longer than ${maxNameBytes} bytes, PostgreSQL's limit for names.`);
  }
  const tableColumns = existing?.columns ?? [];
  const mapping = mapColumns({
    table: named,
    existing: tableColumns.map(({ name, origin }) => ({ name, type: origin })),
    incoming: columns,
    fits: (origin, column) => columnEncoding(column, baseOf(tableColumns, origin)) !== undefined,
    remedy: (column, { type }) =>
      `Change it in the target: ALTER TABLE ${quotedTable(existing ?? tableName)} ALTER COLUMN ${pg.escapeIdentifier(column)} TYPE ${declaredType(type)};`,
  });
  return {
    table: quotedTable(existing ?? tableName),
    existing,
    columns: mapping.columns.map(({ name, column }) => mappedColumn(tableColumns, name, column)),
    keys: keys.map((key) => mapping.columns.find(({ column }) => column.name === key)?.name ?? key),
    strategy,
    watermark,
    added: mapping.added,
  };
}

/** Columns with the same type name have the same base type. */
const baseOf = (tableColumns: ExistingPostgresTable["columns"], origin: string): string =>
  tableColumns.find((column) => column.origin === origin)?.base ?? origin;

function mappedColumn(
  tableColumns: ExistingPostgresTable["columns"],
  name: string,
  column: WarehouseColumn,
): PostgresMappedColumn {
  const base = tableColumns.find((column) => column.name === name)?.base ?? declaredType(column.type);
  const encoding = columnEncoding(column, base);
  if (!encoding) throw new Error(`A new column of the type ${column.type} cannot be written to ${base}.`);
  return { column, name, base, encoding };
}

/** An upsert needs a unique index on the key columns to find its rows. */
export function requireUnique({ table, existing, keys, strategy }: PostgresTableMapping): void {
  if (!existing || strategy !== "upsert") return;
  const expected = [...keys].sort().join("\0");
  if (existing.unique.some((columns) => [...columns].sort().join("\0") === expected)) return;
  const names = keys.map((key) => pg.escapeIdentifier(key)).join(", ");
  throw new DataProblem(
    `${existing.schema}.${existing.table} has no unique index on ${keys.join(", ")}, which an upsert needs. Create one: CREATE UNIQUE INDEX ON ${table} (${names}).`,
  );
}

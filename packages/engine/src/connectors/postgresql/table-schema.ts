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

/** A column on its way into the table. */
export interface PostgresMappedColumn {
  /** As the warehouse and as the table call it. */
  readonly column: WarehouseColumn;
  readonly name: string;
  /** Its type in the table. */
  readonly base: string;
  readonly carrying: ColumnEncoding;
}

/** The table as it will be, and what there is of it. */
export interface PostgresTableMapping {
  /** SQL. */
  readonly table: string;
  readonly kept: ExistingPostgresTable | undefined;
  readonly columns: readonly PostgresMappedColumn[];
  /** As the table calls them. */
  readonly keys: readonly string[];
  readonly strategy: Destination["strategy"];
}

/** PostgreSQL cuts off longer names without an error. */
const longestName = 63;

export async function mapTable(
  session: PostgresSession,
  place: PostgresTableName,
  { name: named, columns, keys, strategy }: Destination,
): Promise<PostgresTableMapping & { readonly added: readonly WarehouseColumn[] }> {
  const kept = await findTable(session, place);
  for (const name of [place.schema, place.table, ...columns.map((column) => column.name)]) {
    if (Buffer.byteLength(name) <= longestName) continue;
    throw new DataProblem(
      `"${name}" is longer than the ${longestName} bytes that PostgreSQL has for a name.`,
    );
  }
  const there = kept?.columns ?? [];
  const fitted = mapColumns({
    table: named,
    there: there.map(({ name, origin }) => ({ name, type: origin })),
    coming: columns,
    fits: (origin, column) => columnEncoding(column, baseOf(there, origin)) !== undefined,
  });
  return {
    table: quotedTable(kept ?? place),
    kept,
    columns: fitted.columns.map(({ name, column }) => fittedColumn(there, name, column)),
    keys: keys.map((key) => fitted.columns.find(({ column }) => column.name === key)?.name ?? key),
    strategy,
    added: fitted.added,
  };
}

/** Two columns of one origin rest on the same type. */
const baseOf = (there: ExistingPostgresTable["columns"], origin: string): string =>
  there.find((column) => column.origin === origin)?.base ?? origin;

function fittedColumn(
  there: ExistingPostgresTable["columns"],
  name: string,
  column: WarehouseColumn,
): PostgresMappedColumn {
  const base = there.find((one) => one.name === name)?.base ?? declaredType(column.type);
  const carrying = columnEncoding(column, base);
  if (!carrying) throw new Error(`A new column of the type ${column.type} cannot be written to ${base}.`);
  return { column, name, base, carrying };
}

/** By it a row finds the one that it replaces. */
export function requireUnique({ table, kept, keys, strategy }: PostgresTableMapping): void {
  if (!kept || strategy !== "upsert") return;
  const wanted = [...keys].sort().join("\0");
  if (kept.unique.some((columns) => [...columns].sort().join("\0") === wanted)) return;
  const names = keys.map((key) => pg.escapeIdentifier(key)).join(", ");
  throw new DataProblem(
    `${kept.schema}.${kept.table} has no unique index on ${keys.join(", ")}, by which an upsert finds its rows. Make one: CREATE UNIQUE INDEX ON ${table} (${names}).`,
  );
}

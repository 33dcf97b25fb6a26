import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote } from "../../warehouse/names.ts";
import { widerType } from "../../warehouse/type-widening.ts";
import { eventColumns } from "../code/bound-step.ts";

/** The columns of an event in the temporary table `events`, quoted. */
export const event = {
  sequence: quote(eventColumns.sequence),
  deleted: quote(eventColumns.deleted),
  truncated: quote(eventColumns.truncated),
};

/** An internal column. Columns of the author never have this prefix. */
export const internalColumn = (name: string): string => quote(`__lakehelm_${name}`);

export const quotedList = (names: readonly string[], prefix = ""): string =>
  names.map((name) => prefix + quote(name)).join(", ");

/** Whether two rows have the same key. NULL is a key value too. */
export const sameKeys = (keys: readonly string[], one: string, other: string): string =>
  keys.map((key) => `${one}.${quote(key)} IS NOT DISTINCT FROM ${other}.${quote(key)}`).join(" AND ");

/** If several rows have the same sequence, the first row in this order wins. */
export const greatestFirst = (columns: readonly WarehouseColumn[]): string =>
  columns.map(({ name }) => `${quote(name)} DESC NULLS LAST`).join(", ");

/**
 * Creates an internal table of a flow, or adds the columns that are new in its source and widens those that are wider
 * in the source.
 */
export async function ensureTable(
  connection: DuckDBConnection,
  table: string,
  columns: readonly { readonly quoted: string; readonly type: string }[],
): Promise<void> {
  const declared = columns.map(({ quoted, type }) => `${quoted} ${type}`);
  await connection.run(`CREATE TABLE IF NOT EXISTS ${table} (${declared.join(", ")})`);
  const existing = new Map(
    (await connection.runAndReadAll(`DESCRIBE ${table}`))
      .getRowsJson()
      .map(([name, type]) => [quote(String(name)), String(type)]),
  );
  for (const [at, { quoted, type }] of columns.entries()) {
    const known = existing.get(quoted);
    if (known === undefined) await connection.run(`ALTER TABLE ${table} ADD COLUMN ${declared[at]}`);
    else if (known !== type && widerType(known, type) === type)
      await connection.run(`ALTER TABLE ${table} ALTER COLUMN ${quoted} SET DATA TYPE ${type}`);
  }
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WriteStrategy } from "../../protocol/transfer.ts";
import { quote } from "../../warehouse/names.ts";
import type { MappedColumn } from "../target/column-mapping.ts";
import { isAccepted } from "../target/staged-rows.ts";
import type { ChangeSet } from "../target/target.ts";

/** A table that the rows fit into. */
export interface DuckdbTableMapping {
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  /** It has columns that do not come. */
  readonly others: boolean;
}

export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Moves the staged rows that a condition names. A row that differs is deleted and inserted again: an update in place costs
 * ten times as much at the commit. Where the table has columns of its own, they have to stay, and the row is updated.
 */
export async function writeStagedRows(
  outside: DuckDBConnection,
  fitted: DuckdbTableMapping,
  { whole, deletedKeys: gone }: Pick<ChangeSet, "whole" | "deletedKeys">,
  only: string,
): Promise<WriteCounts> {
  const { table, columns, keys, strategy, others } = fitted;
  const run = async (sql: string) => (await outside.run(sql)).rowsChanged;
  const rows = `(SELECT * FROM here.changes WHERE ${isAccepted} AND ${only}) AS c`;
  const theirs = columns.map(({ name }) => quote(name)).join(", ");
  const ours = columns.map(({ column }) => `c.${quote(column.name)}`).join(", ");
  const insert = `INSERT INTO ${table} (${theirs}) SELECT ${ours} FROM ${rows}`;

  const cleared = whole ? await run(`DELETE FROM ${table}`) : 0;
  if (whole || strategy !== "upsert") return { inserted: await run(insert), updated: 0, deleted: cleared };

  const isKey = ({ column }: MappedColumn) => keys.includes(column.name);
  const pairs = columns.map((one) => ({
    ...one,
    there: `t.${quote(one.name)}`,
    here: `c.${quote(one.column.name)}`,
  }));
  const same = pairs
    .filter(isKey)
    .map(({ there, here }) => `${there} = ${here}`)
    .join(" AND ");
  const rest = pairs.filter((pair) => !isKey(pair));
  const differs = rest.map(({ there, here }) => `${there} IS DISTINCT FROM ${here}`).join(" OR ") || "false";
  const isThere = `EXISTS (SELECT 1 FROM ${table} t WHERE ${same})`;

  const left = gone ? await run(`DELETE FROM ${table} t USING here.gone c WHERE ${same}`) : 0;
  if (others && rest.length > 0) {
    const sets = rest.map(({ name, here }) => `${quote(name)} = ${here}`).join(", ");
    const updated = await run(`UPDATE ${table} t SET ${sets} FROM ${rows} WHERE ${same} AND (${differs})`);
    return { inserted: await run(`${insert} WHERE NOT ${isThere}`), updated, deleted: left };
  }
  const updated = await run(`DELETE FROM ${table} t USING ${rows} WHERE ${same} AND (${differs})`);
  const inserted = await run(`${insert} WHERE NOT ${isThere}`);
  return { inserted: inserted - updated, updated, deleted: left };
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WriteStrategy } from "../../protocol/transfer.ts";
import { quote } from "../../warehouse/names.ts";
import { hidesRowNumbers, rowNumber } from "../../warehouse/row-numbers.ts";
import { forRowRanges } from "../../warehouse/row-ranges.ts";
import type { MappedColumn } from "../target/column-mapping.ts";
import { rowsOf } from "../target/external-duckdb.ts";
import { isAccepted, stagedChanges } from "../target/staged-rows.ts";
import type { ChangeSet } from "../target/target.ts";

/** How the rows map to a table. */
export interface DuckdbTableMapping {
  readonly table: string;
  readonly columns: readonly MappedColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  /** Whether the table has columns that the rows do not have. */
  readonly hasOtherColumns: boolean;
}

export interface WriteCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Writes the staged rows that meet a condition. A changed row is deleted and inserted again, because an update in place
 * costs ten times as much at the commit. If the table has other columns, they must be kept, so the row is updated.
 */
export async function writeStagedRows(
  external: DuckDBConnection,
  mapping: DuckdbTableMapping,
  { whole, deletedKeys }: Pick<ChangeSet, "whole" | "deletedKeys">,
  only: string,
): Promise<WriteCounts> {
  const { table, columns, keys, strategy, hasOtherColumns } = mapping;
  const run = async (sql: string) => (await external.run(sql)).rowsChanged;
  const staged = await stagedChanges(external);
  const rowsWhere = (condition: string) =>
    `(SELECT * FROM ${staged} WHERE ${isAccepted} AND ${only} AND ${condition}) AS c`;
  const rows = rowsWhere("true");
  const targetColumns = columns.map(({ name }) => quote(name)).join(", ");
  const values = columns.map(({ column }) => `c.${quote(column.name)}`).join(", ");
  const insert = (some: string) => `INSERT INTO ${table} (${targetColumns}) SELECT ${values} FROM ${some}`;

  const cleared = whole ? await run(`DELETE FROM ${table}`) : 0;
  if (whole || strategy !== "upsert")
    return { inserted: await run(insert(rows)), updated: 0, deleted: cleared };

  const isKey = ({ column }: MappedColumn) => keys.includes(column.name);
  const pairs = columns.map((one) => ({
    ...one,
    target: `t.${quote(one.name)}`,
    incoming: `c.${quote(one.column.name)}`,
  }));
  const sameKeys = pairs
    .filter(isKey)
    .map(({ target, incoming }) => `${target} = ${incoming}`)
    .join(" AND ");
  const otherColumns = pairs.filter((pair) => !isKey(pair));
  const differs =
    otherColumns.map(({ target, incoming }) => `${target} IS DISTINCT FROM ${incoming}`).join(" OR ") ||
    "false";
  const insertMissing = async () => {
    let inserted = 0;
    await forRowRanges(external, staged, rowNumber, async (isInRange) => {
      const some = rowsWhere(isInRange(rowNumber));
      inserted += await run(`${insert(some)} WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE ${sameKeys})`);
    });
    return inserted;
  };

  const removed = deletedKeys
    ? await run(`DELETE FROM ${table} t USING stage.deleted_keys c WHERE ${sameKeys}`)
    : 0;
  if (hasOtherColumns && otherColumns.length > 0) {
    const sets = otherColumns.map(({ name, incoming }) => `${quote(name)} = ${incoming}`).join(", ");
    const updated = await run(
      `UPDATE ${table} t SET ${sets} FROM ${rows} WHERE ${sameKeys} AND (${differs})`,
    );
    return { inserted: await insertMissing(), updated, deleted: removed };
  }
  const updated = await run(
    (await hidesRowNumbers(external, table))
      ? `DELETE FROM ${table} t USING ${rows} WHERE ${sameKeys} AND (${differs})`
      : `DELETE FROM ${table} WHERE rowid IN (SELECT row_id FROM ${await differingRows(external, mapping, rows)})`,
  );
  const inserted = await insertMissing();
  return { inserted: inserted - updated, updated, deleted: removed };
}

/**
 * Creates a temporary table with the row ids of target rows that differ from the staged row with the same key. Rows are
 * compared by 128-bit digests, because a join of whole rows needs too much memory.
 */
async function differingRows(
  external: DuckDBConnection,
  { table, columns, keys }: DuckdbTableMapping,
  rows: string,
): Promise<string> {
  const described = await rowsOf(external, `DESCRIBE ${table}`);
  const types = new Map(described.map(({ column_name, column_type }) => [column_name, String(column_type)]));
  const narrow = (cellOf: (column: MappedColumn) => string) => {
    const key = columns
      .filter(({ column }) => keys.includes(column.name))
      .map((column, at) => `${cellOf(column)} AS key_${at}`);
    const values = columns.map(cellOf).join(", ");
    return `${key.join(", ")}, hash(${values}) AS digest_1, hash('second', ${values}) AS digest_2`;
  };
  const incoming = narrow(({ name, column }) => {
    const type = types.get(name) ?? column.type;
    return `TRY_CAST(c.${quote(column.name)} AS ${type})`;
  });
  const existing = narrow(({ name }) => quote(name));
  await external.run(`CREATE OR REPLACE TEMP TABLE incoming_digests AS SELECT ${incoming} FROM ${rows}`);
  const sameKeys = keys.map((_, at) => `t.key_${at} = c.key_${at}`).join(" AND ");
  const differing = "temp.main.differing_rows";
  await external.run(
    `CREATE OR REPLACE TEMP TABLE differing_rows AS SELECT row_id FROM (SELECT rowid AS row_id, ${existing} FROM ${table}) t JOIN temp.main.incoming_digests c ON ${sameKeys} WHERE t.digest_1 <> c.digest_1 OR t.digest_2 <> c.digest_2`,
  );
  return differing;
}

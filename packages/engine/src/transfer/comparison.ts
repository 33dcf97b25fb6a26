import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { WriteStrategy } from "../protocol/transfer.ts";
import { literal, quote } from "../warehouse/names.ts";
import { columnList, countRows, sameKey, sameRow, scalar } from "../warehouse/relation.ts";
import { castColumn } from "./column-cast.ts";

/** Temporary tables with the result of a comparison: the rows to write, and the keys to delete. */
export const changedRows = "changes";
export const deletedKeys = "deleted_keys";

export interface Comparison {
  /** The rows of the run, in the types of the table. */
  readonly rows: string;
  /** The current rows; undefined if there are none. */
  readonly existing: string | undefined;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  readonly watermark: string | undefined;
  /** The watermark from which the rows were read; null if the whole source was read. */
  readonly since: string | null;
  /** Delete existing rows that the run does not contain. */
  readonly deletes: boolean;
}

export interface ComparisonCounts {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
}

/** Finds new and changed rows, and keys to delete. Rows that did not change are not written again. */
export async function compareRows(
  connection: DuckDBConnection,
  comparison: Comparison,
): Promise<ComparisonCounts> {
  const { rows, existing, strategy, columns, keys, since, deletes } = comparison;
  const total = await countRows(connection, rows);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${changedRows} AS ${selectChanged(comparison)}`);
  const changed = await countRows(connection, changedRows);
  const unchanged = total - changed;
  if (strategy !== "upsert" || existing === undefined) {
    return { insert: changed, update: 0, delete: 0, unchanged };
  }
  const update = await countRows(
    connection,
    `${changedRows} c WHERE EXISTS (SELECT 1 FROM ${existing} p WHERE ${sameKey(keys, "p", "c")})`,
  );
  if (!deletes || since !== null) return { insert: changed - update, update, delete: 0, unchanged };
  const key = columnList(
    columns.filter(({ name }) => keys.includes(name)),
    "p.",
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${deletedKeys} AS SELECT ${key} FROM ${existing} p WHERE NOT EXISTS (SELECT 1 FROM ${rows} r WHERE ${sameKey(keys, "r", "p")})`,
  );
  return { insert: changed - update, update, delete: await countRows(connection, deletedKeys), unchanged };
}

function selectChanged(comparison: Comparison): string {
  const { rows, existing, strategy, columns, keys, watermark, since } = comparison;
  const all = `SELECT ${columnList(columns)} FROM ${rows}`;
  if (existing === undefined || strategy === "replace") return all;
  if (strategy === "upsert") {
    const same = `${sameKey(keys, "p", "r")} AND ${sameRow(columns, "p", "r")}`;
    const differing = (from: string) =>
      `SELECT ${columnList(columns, "r.")} FROM ${from} r WHERE NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${same})`;
    if (watermark === undefined || since === null) return differing(rows);
    // A row above the watermark has changed. Comparing it with every column of the table took ten times as long.
    const newer = `${quote(watermark)} > ${literal(since)}`;
    return `${all} WHERE ${newer} UNION ALL ${differing(`(${all} WHERE (${newer}) IS NOT TRUE)`)}`;
  }
  if (watermark === undefined || since === null) {
    return `${all} EXCEPT ALL SELECT ${columnList(columns)} FROM ${existing}`;
  }
  // Only rows at the watermark, or without one, can already exist.
  const [column, value] = [quote(watermark), literal(since)];
  const atWatermark = `(${column} = ${value} OR ${column} IS NULL)`;
  return `${all} WHERE ${column} > ${value} UNION ALL (${all} WHERE ${atWatermark} EXCEPT ALL SELECT ${columnList(columns)} FROM ${existing} WHERE ${atWatermark})`;
}

/** The greatest watermark of the rows, or the one before if that is greater, as text. */
export async function nextWatermark(
  connection: DuckDBConnection,
  rows: string,
  column: WarehouseColumn | undefined,
  before: string | null,
): Promise<string | null> {
  if (!column) return null;
  const greatest = `max(${castColumn(column)})`;
  const watermark =
    before === null ? greatest : `greatest(${greatest}, CAST(${literal(before)} AS ${column.type}))`;
  const found = await scalar(connection, `SELECT CAST(${watermark} AS VARCHAR) FROM ${rows}`);
  return found === null ? before : String(found);
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WriteStrategy } from "../connectors/target/target.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { literal, quote } from "../warehouse/names.ts";
import { count, list, sameKey, sameRow, value } from "../warehouse/relation.ts";

/** What a run writes: temporary tables of the run's connection. */
export const changes = "changes";
export const gone = "gone";

export interface Comparison {
  /** The rows of the run, in the types of the table. */
  readonly rows: string;
  /** What is there now; undefined: nothing is. */
  readonly present: string | undefined;
  readonly columns: readonly WarehouseColumn[];
  readonly keys: readonly string[];
  readonly strategy: WriteStrategy;
  readonly watermark: string | undefined;
  /** The mark that the rows were read from; null: all of the source was read. */
  readonly since: string | null;
  /** Rows that are there and did not come are to go. */
  readonly deletes: boolean;
}

export interface Compared {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
}

/**
 * Finds what is new and what differs. The rows go into `changes`, the keys of those that are to go into `gone`: what is
 * the same already is not written again.
 */
export async function compare(connection: DuckDBConnection, comparison: Comparison): Promise<Compared> {
  const { rows, present, strategy, columns, keys, since, deletes } = comparison;
  const come = await count(connection, rows);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${changes} AS ${differing(comparison)}`);
  const changing = await count(connection, changes);
  const unchanged = come - changing;
  if (strategy !== "upsert" || present === undefined) {
    return { insert: changing, update: 0, delete: 0, unchanged };
  }
  const update = await count(
    connection,
    `${changes} c WHERE EXISTS (SELECT 1 FROM ${present} p WHERE ${sameKey(keys, "p", "c")})`,
  );
  if (!deletes || since !== null) return { insert: changing - update, update, delete: 0, unchanged };
  const key = list(
    columns.filter(({ name }) => keys.includes(name)),
    "p.",
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${gone} AS SELECT ${key} FROM ${present} p WHERE NOT EXISTS (SELECT 1 FROM ${rows} r WHERE ${sameKey(keys, "r", "p")})`,
  );
  return { insert: changing - update, update, delete: await count(connection, gone), unchanged };
}

function differing({ rows, present, strategy, columns, keys, watermark, since }: Comparison): string {
  const all = `SELECT ${list(columns)} FROM ${rows}`;
  if (present === undefined || strategy === "replace") return all;
  if (strategy === "upsert") {
    const same = `${sameKey(keys, "p", "r")} AND ${sameRow(columns, "p", "r")}`;
    const differing = (from: string) =>
      `SELECT ${list(columns, "r.")} FROM ${from} r WHERE NOT EXISTS (SELECT 1 FROM ${present} p WHERE ${same})`;
    if (watermark === undefined || since === null) return differing(rows);
    // What is newer than the mark has changed: looking for it in every column of the table took ten times as long.
    const newer = `${quote(watermark)} > ${literal(since)}`;
    return `${all} WHERE ${newer} UNION ALL ${differing(`(${all} WHERE (${newer}) IS NOT TRUE)`)}`;
  }
  if (watermark === undefined || since === null) {
    return `${all} EXCEPT ALL SELECT ${list(columns)} FROM ${present}`;
  }
  // Only rows of the mark itself, or of none, can be there already.
  const [column, value] = [quote(watermark), literal(since)];
  const again = `(${column} = ${value} OR ${column} IS NULL)`;
  return `${all} WHERE ${column} > ${value} UNION ALL (${all} WHERE ${again} EXCEPT ALL SELECT ${list(columns)} FROM ${present} WHERE ${again})`;
}

/** Whether two relations hold the same rows, each as often: by their number and sums of the rows' hashes, in one pass. */
export async function sameContent(
  connection: DuckDBConnection,
  one: string,
  other: string,
  columns: readonly WarehouseColumn[],
): Promise<boolean> {
  const print = (relation: string) =>
    value(
      connection,
      `SELECT [count(*)::VARCHAR, sum(hash(${list(columns)})::HUGEINT)::VARCHAR, bit_xor(hash(${list(columns)}))::VARCHAR]::VARCHAR FROM ${relation}`,
    );
  return (await print(one)) === (await print(other));
}

/** The greatest mark of the rows and of the one before, as text. */
export async function nextMark(
  connection: DuckDBConnection,
  rows: string,
  watermark: WarehouseColumn | undefined,
  before: string | null,
): Promise<string | null> {
  if (!watermark) return null;
  const greatest = `max(TRY_CAST(${quote(watermark.name)} AS ${watermark.type}))`;
  const mark =
    before === null ? greatest : `greatest(${greatest}, CAST(${literal(before)} AS ${watermark.type}))`;
  const found = await value(connection, `SELECT CAST(${mark} AS VARCHAR) FROM ${rows}`);
  return found === null ? before : String(found);
}

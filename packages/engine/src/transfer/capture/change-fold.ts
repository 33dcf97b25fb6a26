import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote, sqlName } from "../../warehouse/names.ts";
import { keyText, rowsChanged, rowText, scalar } from "../../warehouse/relation.ts";
import { castColumn } from "../column-cast.ts";
import type { IngestRun } from "../ingest-run.ts";
import { incompleteRow, pendingRejects } from "../rejects.ts";
import { createStage, stagedRows } from "../stage.ts";
import { stagedChanges, valueColumn } from "./change-stage.ts";
import { valueOfTable, valueOfText } from "./log-columns.ts";
import { fillLostValues } from "./lost-values.ts";
import { resolveUnchanged, rowLives } from "./unchanged-values.ts";

/** Temporary tables: the numbers of the last change of each key, the deleted keys, and the deleted rows of a table without keys. */
const lastChanges = "log_last";
export const deletedByLog = "log_deleted";

export interface FoldedChanges {
  readonly read: number;
  /** Whether all earlier rows are gone. */
  readonly isTruncated: boolean;
  readonly rejected: number;
}

/** Reduces the changes of a dataset to their net effect: stages the rows that they leave, and what they delete. */
export async function foldChanges(run: IngestRun, index: number): Promise<FoldedChanges> {
  const { connection, columns, keys } = run;
  const ofTable = `${stagedChanges} WHERE t = ${index}`;
  const read = Number(await scalar(connection, `SELECT count(*) FROM ${ofTable} AND op <> 'M'`));
  const truncated = Number(await scalar(connection, `SELECT max(n) FROM ${ofTable} AND op = 'T'`));
  // What happened before the last truncation no longer matters.
  const condition = `t = ${index} AND op <> 'T' AND n > ${truncated}`;
  await createStage(connection, columns);
  const rejected =
    keys.length > 0 ? await foldByKey(run, condition) : await foldByRow(run, condition).then(() => 0);
  return { read, isTruncated: truncated > 0, rejected };
}

/** The last change of a key decides. */
async function foldByKey(run: IngestRun, condition: string): Promise<number> {
  const { connection, table, columns, keys } = run;
  const values = keys.map((key) => valueColumn(columns.findIndex(({ name }) => name === key)));
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${lastChanges} AS SELECT max(n) AS n FROM ${stagedChanges} WHERE ${condition} GROUP BY ${values.join(", ")}`,
  );
  const isLast = `${condition} AND n IN (SELECT n FROM ${lastChanges})`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${deletedByLog} AS ${selectTyped(columns, keys, `${stagedChanges} WHERE ${isLast} AND op = 'D'`)}`,
  );
  const key = `to_json([${values.join(", ")}])::VARCHAR`;
  const hasUnchanged = await resolveUnchanged(connection, condition, key, lastChanges);
  if (!hasUnchanged) {
    const list = columns.map((column, at) => valueOfText(column, valueColumn(at)));
    await connection.run(
      `INSERT INTO ${stagedRows} SELECT ${list.join(", ")} FROM ${stagedChanges} WHERE ${isLast} AND op <> 'D'`,
    );
    return 0;
  }
  const same = keys.map((name, at) => {
    const { type } = columns.find((column) => column.name === name) as WarehouseColumn;
    return `e.${quote(name)} = TRY_CAST(json_extract_string(l.root, '$[${at}]') AS ${type})`;
  });
  const list = columns.map(
    (column, at) =>
      `CASE WHEN coalesce(contains(c.unchanged, ',${at},'), false) THEN ${valueOfTable(column, `e.${quote(column.name)}`)} ELSE ${valueOfText(column, `c.${valueColumn(at)}`)} END AS ${quote(column.name)}`,
  );
  const needsTable = "length(coalesce(c.unchanged, '')) > 1";
  const firstKey = quote(keys[0] ?? "");
  const from = `(SELECT * FROM ${stagedChanges} WHERE ${isLast} AND op <> 'D') c JOIN ${rowLives} l ON l.n = c.n
     LEFT JOIN ${sqlName(table)} e ON ${needsTable} AND ${same.join(" AND ")}`;
  const isLost = `${needsTable} AND e.${firstKey} IS NULL`;
  const isFilled = await fillLostValues(run, { from, isLost });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE log_resolved AS SELECT ${list.join(", ")}, ${isLost} AS _lakehelm_is_lost FROM ${from}`,
  );
  const names = columns.map(({ name }) => quote(name)).join(", ");
  await connection.run(
    `INSERT INTO ${stagedRows} SELECT ${names} FROM log_resolved WHERE NOT _lakehelm_is_lost`,
  );
  if (isFilled) return 0;
  const reason = literal(
    `${incompleteRow}, so it is not in the log, and the warehouse has no row with this key. A run with full_refresh reads it`,
  );
  return rowsChanged(
    connection,
    `INSERT INTO ${pendingRejects} (key, reason, "row") SELECT ${keyText(keys)}, ${reason}, ${rowText(columns)} FROM log_resolved WHERE _lakehelm_is_lost`,
  );
}

/** Without keys, equal rows cannot be told apart: what counts is how many of them were added and removed. */
async function foldByRow({ connection, columns }: IngestRun, condition: string): Promise<void> {
  const values = columns.map((_, at) => valueColumn(at)).join(", ");
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${lastChanges} AS SELECT ${values}, sum(CASE op WHEN 'D' THEN -1 ELSE 1 END)::BIGINT AS _lakehelm_count
     FROM ${stagedChanges} WHERE ${condition} GROUP BY ${values} HAVING _lakehelm_count <> 0`,
  );
  const list = columns.map((column, at) => valueOfText(column, valueColumn(at)));
  await connection.run(
    `INSERT INTO ${stagedRows} SELECT ${list.join(", ")} FROM (SELECT *, unnest(range(_lakehelm_count)) FROM ${lastChanges} WHERE _lakehelm_count > 0)`,
  );
  const all = columns.map(({ name }) => name);
  const removed = `(SELECT * REPLACE (-_lakehelm_count AS _lakehelm_count) FROM ${lastChanges} WHERE _lakehelm_count < 0)`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${deletedByLog} AS ${selectTyped(columns, all, removed, "_lakehelm_count")}`,
  );
}

/** SQL: selects the typed values of some columns from staged changes. */
export function selectTyped(
  columns: readonly WarehouseColumn[],
  names: readonly string[],
  from: string,
  further = "",
): string {
  const places = columns.flatMap((column, at) => (names.includes(column.name) ? [{ column, at }] : []));
  const staged = places.map(
    ({ column, at }) => `${valueOfText(column, valueColumn(at))} AS ${quote(column.name)}`,
  );
  const typed = places.map(({ column }) =>
    column.wire === undefined ? quote(column.name) : `${castColumn(column)} AS ${quote(column.name)}`,
  );
  return `SELECT ${typed.join(", ")}${further && `, ${further}`} FROM (SELECT ${staged.join(", ")}${further && `, ${further}`} FROM ${from})`;
}

import { DataProblem } from "../protocol/problem.ts";
import { quote, sqlName } from "../warehouse/names.ts";
import { columnList, rowsChanged, sameKey, scalar } from "../warehouse/relation.ts";
import type { IngestRun } from "./ingest-run.ts";

const keptValues = "kept_values";

/**
 * Saves the values that rows have in columns which the source does not have. Returns a function that inserts rows with the
 * saved values of their keys.
 */
export async function keepValues(
  { connection, table, columns, keys, keptColumns, request }: IngestRun,
  /** The rows whose keys are about to be written. */
  rows: string,
): Promise<() => Promise<number>> {
  const name = sqlName(table);
  const list = columnList(columns);
  if (keptColumns.length === 0) {
    return () => rowsChanged(connection, `INSERT INTO ${name} (${list}) SELECT ${list} FROM ${rows}`);
  }
  if (keys.length === 0) {
    const hasValues = keptColumns.map((column) => `${quote(column)} IS NOT NULL`).join(" OR ");
    const found = await scalar(
      connection,
      `SELECT count(*) FROM (SELECT 1 FROM ${name} WHERE ${hasValues} LIMIT 1)`,
    );
    if ((request.dataset.strategy === "replace" || request.window) && Number(found) > 0) {
      throw new DataProblem(
        `${request.dataset.target} has values in columns that ${request.dataset.source} does not have: ${keptColumns.map((column) => JSON.stringify(column)).join(", ")}. Without primary keys they cannot be kept. Add primary_keys, or set on_missing_column to "null".`,
      );
    }
    return () => rowsChanged(connection, `INSERT INTO ${name} (${list}) SELECT ${list} FROM ${rows}`);
  }
  const key = keys.map(quote).join(", ");
  const values = keptColumns.map((column) => `any_value(${quote(column)}) AS ${quote(column)}`).join(", ");
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${keptValues} AS SELECT ${key}, ${values} FROM ${name} p WHERE EXISTS (SELECT 1 FROM ${rows} c WHERE ${sameKey(keys, "p", "c")}) GROUP BY ${key}`,
  );
  const kept = keptColumns.map(quote).join(", ");
  const selected = keptColumns.map((column) => `k.${quote(column)}`).join(", ");
  return () =>
    rowsChanged(
      connection,
      `INSERT INTO ${name} (${list}, ${kept}) SELECT ${columnList(columns, "c.")}, ${selected} FROM ${rows} c LEFT JOIN ${keptValues} k ON ${sameKey(keys, "c", "k")}`,
    );
}

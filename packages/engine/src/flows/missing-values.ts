import type { DuckDBConnection } from "@duckdb/node-api";
import { counted, verbFor } from "@lakehelm/contract/text";
import { views } from "@lakehelm/flows";
import { DataProblem } from "../protocol/problem.ts";
import { errorText } from "../warehouse/duckdb-message.ts";
import { fullName, quote } from "../warehouse/names.ts";
import { countRows } from "../warehouse/relation.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** The column of the target that is required but has no value in some rows; undefined if the error is another one. */
export const missingColumn = (error: unknown): string | undefined =>
  /^Constraint Error: NOT NULL constraint failed: .*\.(.+?)$/m.exec(errorText(error))?.[1];

/**
 * Counts the rows of the run without a value, which reads the rows once more: DuckDB reports only that there is one.
 */
export async function missingValues(
  { flow, target }: WarehouseFlow,
  column: string,
  connection: DuckDBConnection,
): Promise<DataProblem> {
  const rows = await countRows(connection, `${views.rows} WHERE ${quote(column)} IS NULL`);
  const isKey = flow.columns.some(({ name, isKey }) => isKey && name.toLowerCase() === column.toLowerCase());
  const why = isKey ? "which is part of its key" : "which is declared NOT NULL";
  return new DataProblem(
    `${counted(rows, "row")} of matched_sql ${verbFor(rows, "has", "have")} no value for the column ${column} of ${fullName(target)}, ${why}. Nothing was written. Leave such rows out of matched_sql (${column} IS NOT NULL), or give them a value.`,
  );
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset } from "../protocol/transfer.ts";
import type { TableName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * A sentence for each column that the source had in the last run and has no longer. Throws a DataProblem if
 * `onMissingColumn` is "fail", also for columns that an earlier run has reported, because the setting may be newer.
 */
export function missingColumnProblems(
  { source, target, onMissingColumn }: Pick<Dataset, "source" | "target" | "onMissingColumn">,
  missing: readonly string[],
  { add }: Pick<SchemaChange, "add">,
  /** Columns of the table that the source had in earlier runs. */
  gone: readonly string[],
): string[] {
  const [added] = add;
  const isRenamed = missing.length === 1 && add.length === 1 && added !== undefined;
  const sentenceOf = (name: string) => `${source} no longer has the column ${JSON.stringify(name)}.`;
  const sentences = missing.map((name) => {
    const renamed = isRenamed
      ? ` It may have been renamed to ${JSON.stringify(added.name)}, which is new.`
      : "";
    return `${sentenceOf(name)}${renamed}`;
  });
  if (missing.length + gone.length > 0 && onMissingColumn === "fail") {
    const all = [...gone.map(sentenceOf), ...sentences];
    throw new DataProblem(`${all.join(" ")} Nothing was written, because on_missing_column is "fail".`);
  }
  const consequence =
    onMissingColumn === "keep"
      ? `Its values in ${target} stay.`
      : `Its values in ${target} become NULL when their rows are written again.`;
  return sentences.map((sentence) => `${sentence} ${consequence}`);
}

/** The columns of the table that the run does not have. A column that is left out on purpose is not kept. */
export async function unknownColumns(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
  { onMissingColumn, leftOut }: Pick<Dataset, "onMissingColumn" | "leftOut">,
): Promise<readonly string[]> {
  if (onMissingColumn === "null") return [];
  const known = [...columns.map(({ name }) => name), ...leftOut];
  const existing = (await readColumns(connection, table)) ?? [];
  return existing.map(({ name }) => name).filter((name) => !known.some((one) => sameName(one, name)));
}

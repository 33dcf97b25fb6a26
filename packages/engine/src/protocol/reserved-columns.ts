import type { WarehouseColumn } from "./column.ts";
import { DataProblem } from "./problem.ts";

/**
 * Throws a DataProblem if a column has a reserved name: statements of a run add columns with reserved names to the
 * rows.
 */
export function requireUnreservedColumns(
  columns: readonly Pick<WarehouseColumn, "name">[],
  dataset: string,
): void {
  const reserved = columns.find(({ name }) => /^_+lakehelm_/i.test(name));
  if (reserved)
    throw new DataProblem(
      `${dataset} has the column ${JSON.stringify(reserved.name)}: names of columns that begin with "_lakehelm_" are reserved for Lakehelm. Rename it, or leave it out.`,
    );
}

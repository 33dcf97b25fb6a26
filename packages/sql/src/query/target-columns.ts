import { suggestion } from "@lakehelm/contract/text";
import type { SqlProblem } from "../source-location.ts";
import type { OutputColumn } from "./select-analysis.ts";

/** A column mismatch. `missing` is a column of the target that the SELECT lacks. */
interface ColumnMismatch extends SqlProblem {
  readonly missing?: string;
}

/**
 * Columns of the target that a SELECT lacks, and columns of the SELECT that the target lacks. With `*`, the SELECT may
 * have more columns than the target.
 */
export function columnMismatches(
  columns: readonly OutputColumn[],
  targetColumns: readonly string[],
  field: string,
): readonly ColumnMismatch[] {
  const given = new Set(columns.map(({ name }) => name.toLowerCase()));
  const expected = new Set(targetColumns.map((name) => name.toLowerCase()));
  const absent = targetColumns.filter((name) => !given.has(name.toLowerCase()));
  const unknown = columns
    .filter(({ name, isFromStar }) => !isFromStar && !expected.has(name.toLowerCase()))
    .map(({ name, line, column }) => ({
      field,
      line,
      column,
      message: `${name} is not a column of the target.${suggestion(name, absent)}`,
    }));
  const { line = 1, column = 1 } = columns[0] ?? {};
  const missing = absent.map((name) => ({
    field,
    line,
    column,
    message: `the column ${name} of the target is missing: add it to this SELECT.`,
    missing: name,
  }));
  return [...missing, ...unknown];
}

import { suggestion } from "@lakehelm/contract/text";
import type { SqlProblem } from "../source-location.ts";
import type { OutputColumn } from "./select-analysis.ts";

/** The columns of a target that a SELECT lacks, and the columns of the SELECT that the target lacks. */
export function columnMismatches(
  columns: readonly OutputColumn[],
  targetColumns: readonly string[],
  field: string,
): readonly SqlProblem[] {
  const given = new Set(columns.map(({ name }) => name.toLowerCase()));
  const expected = new Set(targetColumns.map((name) => name.toLowerCase()));
  const absent = targetColumns.filter((name) => !given.has(name.toLowerCase()));
  const unknown = columns
    .filter(({ name }) => !expected.has(name.toLowerCase()))
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
  }));
  return [...missing, ...unknown];
}

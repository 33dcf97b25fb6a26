import { suggestion } from "@lakehelm/contract/text";
import type { SqlProblem } from "../source-location.ts";
import type { OutputColumn } from "./select-analysis.ts";

/** What is missing and what is too much when a SELECT's columns are to be those of a table. */
export function columnMismatches(
  columns: readonly OutputColumn[],
  wanted: readonly string[],
  field: string,
): readonly SqlProblem[] {
  const given = new Set(columns.map(({ name }) => name.toLowerCase()));
  const asked = new Set(wanted.map((name) => name.toLowerCase()));
  const absent = wanted.filter((name) => !given.has(name.toLowerCase()));
  const unknown = columns
    .filter(({ name }) => !asked.has(name.toLowerCase()))
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

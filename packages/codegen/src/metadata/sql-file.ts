import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import type { ChangeStatement } from "./change.ts";

/** Statements that belong together, under a comment. Its lines carry nothing of a caller but names that were checked. */
export interface StatementGroup {
  readonly column: string | undefined;
  readonly changes: readonly ChangeStatement[];
  /** What is to be said beside the statements. */
  readonly notes?: readonly string[];
}

/** The names stand as SQL has them: in backticks if need be, so that no comment ends with a backslash, which would go on. */
export function sqlFile(
  table: TableName,
  about: readonly string[],
  groups: readonly StatementGroup[],
): string {
  const blocks = groups.map(({ column, changes, notes = [] }) => [
    `-- ${column === undefined ? `Table ${sqlName(table)}` : `Column ${quoteIdentifier(column)}`}`,
    ...notes.map((note) => `-- ${note}`),
    ...changes.map(({ sql }) => `${sql};`),
  ]);
  return [about.map((line) => `-- ${line}`), ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import type { ChangeStatement } from "./change.ts";

/**
 * Statements that belong together, under a comment. From the request, comments contain only names that were checked.
 */
export interface StatementGroup {
  readonly column: string | undefined;
  readonly changes: readonly ChangeStatement[];
  /** Comments on the statements. */
  readonly notes?: readonly string[];
}

/** Names are quoted as in SQL, so that no comment ends with a backslash, which would continue the comment. */
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

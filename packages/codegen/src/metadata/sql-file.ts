import { quoteIdentifier } from "@lakehelm/sql/literals";
import { sqlName, type TableName } from "@lakehelm/sql/names";
import type { Written } from "./change.ts";

/** Statements that belong together, under a comment. Its lines carry nothing of a caller but names that were checked. */
export interface Group {
  readonly column: string | undefined;
  readonly changes: readonly Written[];
  /** What is to be said beside the statements. */
  readonly remarks?: readonly string[];
}

/** The names stand as SQL has them: in backticks if need be, so that no comment ends with a backslash, which would go on. */
export function sqlFile(table: TableName, about: readonly string[], groups: readonly Group[]): string {
  const blocks = groups.map(({ column, changes, remarks = [] }) => [
    `-- ${column === undefined ? `Table ${sqlName(table)}` : `Column ${quoteIdentifier(column)}`}`,
    ...remarks.map((remark) => `-- ${remark}`),
    ...changes.map(({ sql }) => `${sql};`),
  ]);
  return [about.map((line) => `-- ${line}`), ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

import type { AutomationTask } from "@lakehelm/contract";
import { segmentsOf } from "@lakehelm/sql/segments";
import { placeholdersIn } from "./templates.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Problems that the text of a query shows. */
export function queryFindings(
  { name, query }: Pick<AutomationTask, "name" | "query">,
  at: number,
): ValidationFinding[] {
  if (!query?.trim()) return [finding(`Task "${name}" is of kind sql and needs a query.`, "tasks", at)];
  const problem = (sentence: string) => finding(`Task "${name}": ${sentence}`, "tasks", at, "query");
  const segments = segmentsOf(query);
  const statements = segments.filter(({ kind }) => kind !== "comment");
  if (statements.every(({ text }) => /^[;\s]*$/.test(text))) {
    return [problem("Its query has no statement, only comments.")];
  }
  const sql = statements.filter(({ kind }) => kind === "sql").map(({ text }) => text);
  return [
    ...statements.flatMap(({ text }) =>
      secretsIn(text).map((secret) =>
        problem(`A query must not contain secrets, because its results are data. Remove ${secret}.`),
      ),
    ),
    ...sql.flatMap(namesIn).map((placeholder) => problem(placeholderAsName(placeholder))),
  ];
}

export const placeholderAsName = (placeholder: string) =>
  `${placeholder} is a value here and cannot be a name or a part of one. Put the name in backquotes.`;

const secretsIn = (text: string) => [...text.matchAll(/\{\{\s*secrets\/[^{}]*\}\}/g)].map(([whole]) => whole);

/** Placeholders adjacent to a name: `sales_{{parameters.year}}`, `shop.{{parameters.table}}`. */
const namesIn = (sql: string) =>
  placeholdersIn(sql)
    .filter(({ text, at }) => /[\w.]$/.test(sql.slice(0, at)) || /^[\w.(]/.test(sql.slice(at + text.length)))
    .map(({ text }) => text);

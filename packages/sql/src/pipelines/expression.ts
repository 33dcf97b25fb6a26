import { tokenize } from "../lexer/lexer.ts";
import { plainName, sqlName, type TableName } from "../names/table-name.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import type { ColumnSource } from "../query/column-sources.ts";
import { analyzeQuery } from "../query/query-analysis.ts";
import type { SqlFragment } from "./drafts.ts";
import type { SourceStatement } from "./statements/statement.ts";
import { noSuchTable } from "./table-catalog.ts";

const head = "SELECT (";

/** Checks an expression over the columns of one table, and returns its sources. */
export function analyzeExpression(
  parser: SqlParser,
  { at, sql: text }: SqlFragment,
  statement: SourceStatement,
  table: TableName,
  columns: readonly string[] | undefined,
): readonly ColumnSource[] {
  const problem = singleValueProblem(text);
  if (problem) {
    statement.report(at + problem.at, problem.message);
    return [];
  }
  const { columns: read, diagnostics } = analyzeQuery(
    parser,
    `${head}${text}) AS value FROM ${sqlName(table)}`,
    {
      catalog: table.catalog,
      schema: table.schema,
      declared: new Map([[plainName(table), columns]]),
      invalid: new Set(),
      unknownTable: noSuchTable,
      isNamed: false,
    },
  );
  for (const diagnostic of diagnostics) {
    const inside = Math.min(Math.max(diagnostic.at - head.length, 0), Math.max(text.length - 1, 0));
    statement.report(at + inside, diagnostic.message);
  }
  return read?.[0]?.sources ?? [];
}

/** Why a text is not an expression for one value of one row. */
function singleValueProblem(text: string): { readonly at: number; readonly message: string } | undefined {
  let depth = 0;
  for (const { kind, text: word, value, start } of tokenize(text).tokens) {
    if (kind === "mark" && (word === "(" || word === "[")) depth += 1;
    if (kind === "mark" && (word === ")" || word === "]")) depth -= 1;
    if (kind === "word" && value === "select")
      return {
        at: start,
        message: "an expression is evaluated for one row: a subquery is not allowed here.",
      };
    if (depth === 0 && ((kind === "mark" && word === ",") || (kind === "word" && value === "as")))
      return { at: start, message: `expected one expression, found ${word}.` };
  }
  return undefined;
}

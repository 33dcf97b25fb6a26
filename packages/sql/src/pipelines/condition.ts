import type { Sql } from "../load.ts";
import { plainName, sqlName, type TableName } from "../names.ts";
import { readQuery } from "../read-query.ts";
import { scan } from "../scan.ts";
import type { ColumnSource } from "../select/sources.ts";
import type { Stretch } from "./draft.ts";
import { noTable } from "./known.ts";
import type { Statement } from "./statements/statement.ts";

const head = "SELECT (";

/** Checks an expression over the columns of one table, and says which of them it is made of. */
export function readExpression(
  sql: Sql,
  { at, sql: text }: Stretch,
  statement: Statement,
  table: TableName,
  columns: readonly string[] | undefined,
): readonly ColumnSource[] {
  const odd = notOne(text);
  if (odd) {
    statement.complain(at + odd.at, odd.message);
    return [];
  }
  const { columns: read, remarks } = readQuery(sql, `${head}${text}) AS value FROM ${sqlName(table)}`, {
    catalog: table.catalog,
    schema: table.schema,
    declared: new Map([[plainName(table), columns]]),
    unsure: new Set(),
    absent: noTable,
    isNamed: false,
  });
  for (const remark of remarks) {
    const inside = Math.min(Math.max(remark.at - head.length, 0), Math.max(text.length - 1, 0));
    statement.complain(at + inside, remark.message);
  }
  return read?.[0]?.sources ?? [];
}

/** What makes more of an expression than one value of one row. */
function notOne(text: string): { readonly at: number; readonly message: string } | undefined {
  let depth = 0;
  for (const { kind, text: word, value, start } of scan(text).tokens) {
    if (kind === "mark" && (word === "(" || word === "[")) depth += 1;
    if (kind === "mark" && (word === ")" || word === "]")) depth -= 1;
    if (kind === "word" && value === "select")
      return { at: start, message: "an expression looks at one row: a subquery cannot stand here." };
    if (depth === 0 && ((kind === "mark" && word === ",") || (kind === "word" && value === "as")))
      return { at: start, message: `expected one expression, found ${word}.` };
  }
  return undefined;
}

import { unbalancedBracket } from "../lexer/brackets.ts";
import { tokenize } from "../lexer/lexer.ts";
import { limitProblem } from "../lexer/limits.ts";
import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { expressionOf, nodesOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { parseStatement } from "./parsed-statement.ts";
import { queryRow } from "./query.ts";
import type { QueryContext } from "./query-context.ts";
import type { ResultColumn, RowType } from "./row-type.ts";
import { selectListOffsets } from "./select-list-offsets.ts";

export interface QueryRules
  extends Pick<QueryContext, "declared" | "invalid" | "unknownTable" | "catalog" | "schema"> {
  /** Functions of one's own that may be called. */
  readonly functions?: readonly string[];
  /** Whether the columns that it gives become those of a table: then each has a name, and no two the same. */
  readonly isNamed: boolean;
}

/** What a query gives and reads, as far as it could be read, and all that is wrong with it, by offsets of the text. */
export interface QueryAnalysis {
  readonly columns: readonly ResultColumn[] | undefined;
  /** Whether these are all columns; one without a name has an empty one. */
  readonly isComplete: boolean;
  /** Named `catalog.schema.table` in lower case. */
  readonly tables: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one query. */
export function analyzeQuery(parser: SqlParser, text: string, rules: QueryRules): QueryAnalysis {
  const { tokens, diagnostics } = tokenize(text);
  const found = new Map<string, Diagnostic>();
  const report = (at: number, message: string) => found.set(`${at} ${message}`, { at, message });
  for (const { at, message } of [...diagnostics, ...precheck(tokens)]) report(at, message);
  const read = found.size === 0 ? analyzeTree(parser, text, tokens, rules, report) : undefined;
  const columns = read?.rows.columns;
  return {
    columns,
    isComplete: read?.rows.open.length === 0,
    tables: [...(read?.tables ?? [])],
    diagnostics: [...found.values()].toSorted((left, right) => left.at - right.at).slice(0, 50),
  };
}

/** What can be said before the text is handed to the library. */
function precheck(tokens: readonly SqlToken[]): readonly Diagnostic[] {
  const first = tokens.find(({ text }) => text !== "(");
  if (!first) return [{ at: 0, message: "the text is empty: expected a SELECT." }];
  const diagnostics: Diagnostic[] = [];
  if (first.kind !== "word" || !["select", "with", "values"].includes(first.value))
    diagnostics.push({
      at: first.start,
      message: `expected SELECT, WITH or VALUES, found ${first.text.slice(0, 40)}: only a query can stand here.`,
    });
  const end = tokens.findIndex(({ text }) => text === ";");
  const more = end < 0 ? undefined : tokens.slice(end).find(({ text }) => text !== ";");
  if (more)
    diagnostics.push({
      at: more.start,
      message: "expected the end after the semicolon: only one statement can stand here.",
    });
  const limit = limitProblem(tokens) ?? unbalancedBracket(tokens);
  if (limit) diagnostics.push(limit);
  return diagnostics;
}

function analyzeTree(
  parser: SqlParser,
  text: string,
  tokens: readonly SqlToken[],
  rules: QueryRules,
  report: (at: number, message: string) => void,
): { readonly rows: RowType; readonly tables: ReadonlySet<string> } | undefined {
  const tree = parseStatement(parser, text, tokens, { ...rules, words: new Set() }, report);
  if (!tree) return undefined;
  const { statement, names } = tree;
  const context: QueryContext = {
    ...tree.context,
    outermost: firstColumn(statement),
    items: selectListOffsets(tokens, names.identifiers),
    query: (node, surroundings) => queryRow(node, surroundings, context),
  };
  const rows = queryRow(statement, { ctes: new Map(), outer: undefined }, context);
  if (names.relations.some((part) => !context.visited.has(part)))
    report(tokens[0]?.start ?? 0, "a part of this query is not understood: write it in a plainer way.");
  if (rules.isNamed) checkOutput(rows, report);
  return { rows, tables: context.tables };
}

/** The names of the result: each column has one, and no two the same. */
function checkOutput({ columns, open: rest }: RowType, report: (at: number, message: string) => void): void {
  for (const { at, tables, refused } of rest) {
    if (refused) continue;
    const whose = tables.length > 0 ? ` of ${tables.join(", ")}` : "";
    report(at, `the columns${whose} are not known here, so * cannot be checked: name the columns.`);
  }
  const given = new Set<string>();
  for (const { name, at } of columns) {
    if (name === "") report(at, "this expression has no name: add AS and the name of a column.");
    else if (given.has(name.toLowerCase())) report(at, `the column ${name} is given twice.`);
    given.add(name.toLowerCase());
  }
}

/** The first entry of the SELECT that gives a query its names. */
function firstColumn(statement: unknown): SyntaxNode | undefined {
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  if (kind === "select") return nodesOf(body.expressions)[0];
  return kind === "values" || kind === "" ? undefined : firstColumn(body.left ?? body.this);
}

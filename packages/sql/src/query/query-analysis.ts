import { unbalancedBracket } from "../lexer/brackets.ts";
import { tokenize } from "../lexer/lexer.ts";
import { limitProblem } from "../lexer/limits.ts";
import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { expressionOf, nodesOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { parseStatement } from "./parsed-statement.ts";
import { queryRow } from "./query.ts";
import type { QueryContext, TableReference } from "./query-context.ts";
import type { OpenColumns, ResultColumn, RowType } from "./row-type.ts";
import { selectListOffsets } from "./select-list-offsets.ts";

export interface QueryRules
  extends Pick<QueryContext, "declared" | "types" | "invalid" | "unknownTable" | "catalog" | "schema"> {
  /** User-defined functions that are allowed. */
  readonly functions?: readonly string[];
  /** Whether the result becomes a table: then each column needs a unique name. */
  readonly isNamed: boolean;
  /** Whether `*` may add unknown columns, because the reader of the result selects columns by name. */
  readonly isChosenByName?: boolean;
}

/** The columns and tables of a query, as far as they are known, and its diagnostics. */
export interface QueryAnalysis {
  readonly columns: readonly ResultColumn[] | undefined;
  /** Whether `columns` has all columns. */
  readonly isComplete: boolean;
  /** Columns of `*` that could not be listed. */
  readonly open: readonly OpenColumns[];
  /** The tables as `catalog.schema.table` in lower case. */
  readonly tables: readonly string[];
  readonly references: readonly TableReference[];
  readonly diagnostics: readonly Diagnostic[];
}

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
    open: read?.rows.open ?? [],
    tables: [...(read?.tables ?? [])],
    references: read?.references ?? [],
    diagnostics: [...found.values()].toSorted((left, right) => left.at - right.at).slice(0, 50),
  };
}

/** Checks that need no parser. */
function precheck(tokens: readonly SqlToken[]): readonly Diagnostic[] {
  const first = tokens.find(({ text }) => text !== "(");
  if (!first) return [{ at: 0, message: "the text is empty: expected a SELECT." }];
  const diagnostics: Diagnostic[] = [];
  if (first.kind !== "word" || !["select", "with", "values"].includes(first.value))
    diagnostics.push({
      at: first.start,
      message: `expected SELECT, WITH or VALUES, found ${first.text.slice(0, 40)}: only a query is allowed here.`,
    });
  const end = tokens.findIndex(({ text }) => text === ";");
  const more = end < 0 ? undefined : tokens.slice(end).find(({ text }) => text !== ";");
  if (more)
    diagnostics.push({
      at: more.start,
      message: "expected the end after the semicolon: only one statement is allowed here.",
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
): (Pick<QueryContext, "tables" | "references"> & { readonly rows: RowType }) | undefined {
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
    report(tokens[0]?.start ?? 0, "a part of this query is not supported: write it in a simpler form.");
  if (rules.isNamed) {
    // A UNION matches columns by position, so the names of its `*` must be known.
    const isChosen = rules.isChosenByName === true && expressionOf(statement)?.kind === "select";
    checkOutput(rows, isChosen, report);
  }
  return { rows, tables: context.tables, references: context.references };
}

/** Each column of the result needs a unique name. */
function checkOutput(
  { columns, open: rest }: RowType,
  isChosenByName: boolean,
  report: (at: number, message: string) => void,
): void {
  for (const { at, tables, refused } of rest) {
    if (refused || (isChosenByName && tables.length > 0)) continue;
    const whose = tables.length > 0 ? ` of ${tables.join(", ")}` : "";
    report(at, `the columns${whose} are unknown, so * cannot be checked: list the columns.`);
  }
  const given = new Set<string>();
  for (const { name, at } of columns) {
    if (name === "") report(at, "this expression has no name: add AS and a column name.");
    else if (given.has(name.toLowerCase())) report(at, `the column ${name} appears twice.`);
    given.add(name.toLowerCase());
  }
}

/** The first item of the SELECT that determines a query's column names. */
function firstColumn(statement: unknown): SyntaxNode | undefined {
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  if (kind === "select") return nodesOf(body.expressions)[0];
  return kind === "values" || kind === "" ? undefined : firstColumn(body.left ?? body.this);
}

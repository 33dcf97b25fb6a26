import { counted, suggestion } from "@lakehelm/contract/text";
import { unbalancedBracket } from "../lexer/brackets.ts";
import { tokenize } from "../lexer/lexer.ts";
import { limitProblem } from "../lexer/limits.ts";
import type { Diagnostic } from "../lexer/token.ts";
import type { SqlParser } from "../parser/sql-parser.ts";
import { expressionOf, identifierOf, isNode, nodesOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { changeWords } from "../vocabulary/keywords.ts";
import { noDefault } from "../vocabulary/unknown-words.ts";
import { columnInRelation } from "./column-names.ts";
import { sourcesOf } from "./expression.ts";
import { parseStatement } from "./parsed-statement.ts";
import { queryRow } from "./query.ts";
import type { QueryRules } from "./query-analysis.ts";
import type { QueryContext } from "./query-context.ts";
import { relationsOf } from "./relations.ts";
import { emptyScope, type NameScope, type Relation } from "./scope.ts";

/** The tables that an UPDATE, DELETE or MERGE reads in addition to its target, and its diagnostics. */
export interface ChangeAnalysis {
  readonly tables: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The supported parts of each statement. Other parts belong to other dialects. */
const parts: Readonly<Record<string, readonly string[]>> = {
  update: ["table", "set", "where_clause"],
  delete: ["table", "alias", "alias_explicit_as", "where_clause"],
  merge: ["this", "using", "on", "whens"],
};

/** Analyzes one UPDATE, DELETE or MERGE. */
export function analyzeChange(
  parser: SqlParser,
  text: string,
  rules: Omit<QueryRules, "isNamed">,
): ChangeAnalysis {
  const { tokens, diagnostics } = tokenize(text);
  const found = new Map<string, Diagnostic>();
  const report = (at: number, message: string) => found.set(`${at} ${message}`, { at, message });
  for (const { at, message } of [...diagnostics, limitProblem(tokens) ?? unbalancedBracket(tokens)].filter(
    (one) => one !== undefined,
  ))
    report(at, message);
  const tree =
    found.size === 0
      ? parseStatement(parser, text, tokens, { ...rules, words: changeWords }, report)
      : undefined;
  if (tree) {
    const context: QueryContext = {
      ...tree.context,
      query: (node, surroundings) => queryRow(node, surroundings, context),
    };
    analyzeTree(tree.statement, context);
    if (found.size === 0 && tree.names.relations.some((part) => !context.visited.has(part)))
      report(tokens[0]?.start ?? 0, "a part of this statement is not supported: write it in a simpler form.");
  }
  const all = [...found.values()].toSorted((left, right) => left.at - right.at).slice(0, 50);
  return { tables: [...(tree?.context.tables ?? [])], diagnostics: all };
}

function analyzeTree(statement: SyntaxNode, context: QueryContext): void {
  const { kind, body } = expressionOf(statement) ?? { kind: "", body: {} };
  const start = context.tokens[0]?.start ?? 0;
  const known = parts[kind];
  if (!known) {
    context.report(start, "expected UPDATE, DELETE or MERGE.");
    return;
  }
  for (const [part, value] of Object.entries(body)) {
    if (!known.includes(part) && !isAbsent(value))
      context.report(
        start,
        `Databricks does not support this part of the statement (${part.replaceAll("_", " ")}).`,
      );
  }
  // The target is not one of the tables that are read.
  const apart: QueryContext = { ...context, tables: new Set() };
  const nowhere = emptyScope({ ctes: new Map(), outer: undefined });
  const table = isNode(body.table)
    ? { table: kind === "delete" ? { ...body.table, alias: body.alias } : body.table }
    : body.this;
  const { visible } = relationsOf(table, nowhere, apart);
  if (isNode(body.table)) context.visited.add(body.table);
  const [target] = visible;
  if (!target) return;
  const scope: NameScope = { ...nowhere, relations: visible };
  if (kind === "update") assignments(body.set, target, scope, context);
  if (kind !== "merge") sourcesOf(body.where_clause, scope, context);
  else merge(body, target, scope, context);
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

function assignments(set: unknown, target: Relation, scope: NameScope, context: QueryContext): void {
  for (const pair of Array.isArray(set) ? set : []) {
    const [column, value] = Array.isArray(pair) ? pair : [];
    hasColumn(column, target, context);
    sourcesOf(value, scope, context);
  }
}

/** Checks that an assigned column is a column of the target. The parser keeps `t.a` as one name. */
function hasColumn(column: unknown, target: Relation, context: QueryContext, qualifier?: unknown): void {
  const found = identifierOf(column);
  if (!found) return;
  const before = identifierOf(qualifier);
  const path = [...(before ? [before.name] : []), ...(found.quoted ? [found.name] : found.name.split("."))];
  const name = path.at(-1) ?? "";
  const at = context.toOffset(found.from ?? 0);
  const owner = target.names[0]?.join(".") ?? "the table";
  if (!isQualifier(path.slice(0, -1), target)) {
    const [outer = ""] = path.slice(-2);
    context.report(
      at,
      `${path.join(".")} is not a column of ${owner}. To change a field of a struct, write the whole struct: ${outer} = named_struct(…).`,
    );
    return;
  }
  if (columnInRelation({ name, at }, target, context)) return;
  context.report(at, `${owner} has no column ${name}.${suggestion(name, target.index.keys())}`);
}

/** Whether a qualifier is the name or the alias of the table, or the end of its name. */
const isQualifier = (path: readonly string[], { names }: Relation): boolean =>
  path.length === 0 ||
  names.some((name) =>
    path.every((part, at) => part.toLowerCase() === name.at(at - path.length)?.toLowerCase()),
  );

/** Checks each WHEN clause with the rows that it has: only the source row if no target row matched, and vice versa. */
function merge(body: SyntaxNode, target: Relation, scope: NameScope, context: QueryContext): void {
  const start = context.tokens[0]?.start ?? 0;
  const whens = isNode(body.whens) ? nodesOf(expressionOf(body.whens)?.body.expressions) : [];
  if (isAbsent(body.on) || whens.length === 0) {
    context.report(start, "MERGE needs ON and at least one WHEN.");
    return;
  }
  const source = relationsOf(body.using, emptyScope({ ctes: new Map(), outer: undefined }), context).visible;
  const both: NameScope = { ...scope, relations: [target, ...source] };
  sourcesOf(body.on, both, context);
  for (const one of whens) {
    const when = expressionOf(one)?.body ?? {};
    const isMatched = expressionOf(when.matched)?.body.value === true;
    const bySource = expressionOf(when.source)?.body.value === true;
    const visible = isMatched ? both : { ...scope, relations: bySource ? [target] : source };
    sourcesOf(when.condition, visible, context);
    action(when.then, target, visible, context);
  }
}

/** `UPDATE SET a = b`, `INSERT (a) VALUES (b)`, `UPDATE SET *`, `INSERT *` or `DELETE` */
function action(then: unknown, target: Relation, scope: NameScope, context: QueryContext): void {
  const [, first, second] = nodesOf(expressionOf(then)?.body.expressions);
  const { kind, body } = expressionOf(first) ?? { kind: "", body: {} };
  if (kind !== "tuple") return;
  const entries = nodesOf(body.expressions);
  for (const entry of entries) {
    const { kind: what, body: one } = expressionOf(entry) ?? { kind: "", body: {} };
    if (what === "eq") {
      const left = expressionOf(one.left);
      const isName = left?.kind === "column";
      hasColumn(isName ? left.body.name : left?.body, target, context, isName ? left.body.table : undefined);
      sourcesOf(one.right, scope, context);
    } else if (what === "identifier" || what === "column")
      hasColumn(what === "column" ? one.name : one, target, context);
    else sourcesOf(entry, scope, context);
  }
  const values = nodesOf(expressionOf(second)?.body.expressions);
  sourcesOf(values, scope, context);
  if (values.some((value) => /^default$/i.test(String(expressionOf(value)?.body.this ?? ""))))
    context.report(context.tokens.findLast(({ value }) => value === "default")?.start ?? 0, noDefault);
  if (second && values.length !== entries.length)
    context.report(
      context.tokens[0]?.start ?? 0,
      `INSERT has ${counted(entries.length, "column")} and ${counted(values.length, "value")}.`,
    );
}

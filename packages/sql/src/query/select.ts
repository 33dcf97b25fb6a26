import {
  expressionOf,
  identifierOf,
  identifiersOf,
  isNode,
  nodesOf,
  type SyntaxNode,
} from "../parser/syntax-tree.ts";
import type { ColumnSource } from "./column-sources.ts";
import { nameParts, sourcesOf } from "./expression.ts";
import { addJoins, type FromClause } from "./joins.ts";
import type { QueryContext } from "./query-context.ts";
import { lateralView, relationsOf } from "./relations.ts";
import { type OpenColumns, type ResultColumn, type RowType, unknownRow } from "./row-type.ts";
import { type EnclosingScope, emptyScope, type NameScope } from "./scope.ts";
import { starRow } from "./star.ts";

/**
 * A limit, because stars of joined CTEs double the columns with each CTE: a text of a thousand characters can have a
 * million columns.
 */
const mostColumns = 10_000;

/** Clauses of other dialects that the parser accepts but Databricks does not. */
const foreign = [
  "into",
  "top",
  "connect",
  "prewhere",
  "settings",
  "format",
  "option",
  "kind",
  "distinct_on",
  "limit_by",
  "exclude",
  "fetch",
  "locks",
  "for_xml",
  "for_json",
  "operation_modifiers",
];

/** Analyzes a SELECT: its FROM clause, then its list, then the other clauses. */
export function selectRow(select: SyntaxNode, enclosing: EnclosingScope, context: QueryContext): RowType {
  const from = fromClause(select, enclosing, context);
  const scope: NameScope = { ...emptyScope(enclosing), relations: from.visible, joined: from.joined };
  const whole: NameScope = { ...scope, relations: from.all };
  for (const join of conditionsOf(select)) sourcesOf(join, whole, context);

  const aliases = new Map<string, readonly ColumnSource[]>();
  const rows = list(nodesOf(select.expressions), { ...scope, aliases }, aliases, context);
  sourcesOf(select.where_clause, scope, context);
  const named: NameScope = { ...scope, aliases };
  for (const clause of [
    "group_by",
    "having",
    "qualify",
    "order_by",
    "sort_by",
    "cluster_by",
    "distribute_by",
    "windows",
    "limit",
    "offset",
    "sample",
  ]) {
    sourcesOf(select[clause], named, context);
  }
  for (const clause of foreign) {
    const value = select[clause];
    if (
      value === undefined ||
      value === null ||
      value === false ||
      (Array.isArray(value) && value.length === 0)
    )
      continue;
    context.report(
      rows.columns[0]?.at ?? 0,
      `Databricks does not support this clause of a SELECT (${clause.replaceAll("_", " ")}).`,
    );
  }
  return rows;
}

function fromClause(select: SyntaxNode, enclosing: EnclosingScope, context: QueryContext): FromClause {
  const scope = emptyScope(enclosing);
  const from = isNode(select.from) ? nodesOf(select.from.expressions) : [];
  let now: FromClause = { visible: [], all: [], joined: new Map() };
  for (const entry of from) {
    const next = relationsOf(entry, { ...scope, relations: now.all }, context);
    now = {
      visible: [...now.visible, ...next.visible],
      all: [...now.all, ...next.all],
      joined: new Map([...now.joined, ...next.joined]),
    };
  }
  now = addJoins(
    now,
    nodesOf(select.joins),
    (right, left) => relationsOf(right, { ...scope, relations: left }, context),
    context,
  );
  for (const view of nodesOf(select.lateral_views)) {
    const found = lateralView(view, { ...scope, relations: now.visible, joined: now.joined }, context);
    now = { ...now, visible: [...now.visible, found], all: [...now.all, found] };
  }
  return now;
}

/** The conditions of all joins, including joins in parentheses. */
function conditionsOf(select: SyntaxNode): readonly unknown[] {
  const entries = isNode(select.from) ? nodesOf(select.from.expressions) : [];
  const joins = nodesOf(select.joins);
  return [...entries, ...joins.map((join) => join.this)].flatMap(inner).concat(joins.map((join) => join.on));
}

function inner(node: unknown): readonly unknown[] {
  const { kind, body } = expressionOf(node) ?? {};
  if (!body || !(kind === "joined_table" || kind === "paren" || kind === "alias")) return [];
  const joins = nodesOf(body.joins);
  return [body.left ?? body.this, ...joins.map((join) => join.this)]
    .flatMap(inner)
    .concat(joins.map((join) => join.on));
}

/** The SELECT list. Each alias is visible in the expressions after it. */
function list(
  expressions: readonly SyntaxNode[],
  scope: NameScope,
  aliases: Map<string, readonly ColumnSource[]>,
  context: QueryContext,
): RowType {
  const columns: ResultColumn[] = [];
  const rest: OpenColumns[] = [];
  const outermost = context.outermost === expressions[0];
  for (const [index, expression] of expressions.entries()) {
    const at = outermost ? context.items[index] : undefined;
    const { kind, body } = expressionOf(expression) ?? { kind: "", body: {} };
    if (kind === "star") {
      const all = starRow(body, scope, at ?? 0, context);
      const isTooWide = columns.length + rest.length + all.columns.length + all.open.length > mostColumns;
      if (isTooWide) {
        context.report(at ?? 0, `a star brings more than ${mostColumns} columns: list those that you need.`);
      }
      const rows = isTooWide ? unknownRow(at ?? 0) : all;
      columns.push(
        ...rows.columns.map((column) => ({
          ...column,
          ...(at !== undefined && { at }),
          isFromStar: true as const,
        })),
      );
      rest.push(...rows.open.map((part) => (at === undefined ? part : { ...part, at })));
      continue;
    }
    const sources = sourcesOf(kind === "alias" ? body.this : expression, scope, context);
    const names = namesOf(expression, context);
    if (names.length === 0) columns.push({ name: "", at: at ?? 0, sources });
    for (const name of names) columns.push({ ...name, sources });
    if (kind === "alias")
      for (const { name } of names)
        if (!aliases.has(name.toLowerCase())) aliases.set(name.toLowerCase(), sources);
  }
  return { columns, open: rest };
}

/** The names of an item of the SELECT list: its alias, or its column. */
function namesOf(
  expression: unknown,
  context: QueryContext,
): readonly { readonly name: string; readonly at: number }[] {
  const { kind, body } = expressionOf(expression) ?? { kind: "", body: {} };
  if (kind === "paren") return namesOf(body.this, context);
  if (kind === "alias") {
    const several = identifiersOf(body.column_aliases);
    const one = identifierOf(body.alias);
    return (several.length > 0 || !one ? several : [one]).map(({ name, from }) => ({
      name,
      at: context.toOffset(from ?? 0),
    }));
  }
  const parts = nameParts(kind, body, context);
  const last = parts?.at(-1);
  const first = parts?.[0];
  return first && last ? [{ name: last.name, at: first.at }] : [];
}

import {
  expressionOf,
  identifierOf,
  identifiersOf,
  nodesOf,
  type SyntaxNode,
} from "../parser/syntax-tree.ts";
import { columnInRelation } from "./column-names.ts";
import { sourcesOf } from "./expression.ts";
import type { QueryContext } from "./query-context.ts";
import { type RowType, tablesOfRow, withoutColumns } from "./row-type.ts";
import { type NameScope, relation } from "./scope.ts";

/**
 * PIVOT turns values into columns. The names of these columns are not computed; their sources are the sources of the
 * aggregates.
 */
export function pivotRow(
  pivot: SyntaxNode,
  inner: RowType,
  scope: NameScope,
  context: QueryContext,
): RowType {
  const source = relation([], inner);
  const within: NameScope = { ...scope, relations: [source] };
  const made = sourcesOf(pivot.expressions, within, context);
  const fields = valuesOnly(pivot.fields);
  sourcesOf(fields, within, context);
  const at = inner.open[0]?.at ?? inner.columns[0]?.at ?? 0;
  if (fields.flat().some((value) => expressionOf(value)?.kind === "select"))
    context.report(at, "PIVOT needs a list of values, not a subquery.");
  const values = nodesOf(pivot.fields)
    .flatMap((field) => nodesOf(expressionOf(field)?.body.expressions))
    .map(valueName);
  const find = (name: string) => {
    const key = name.toLowerCase();
    const fromValue = values.some((value) => key === value || key.startsWith(`${value}_`));
    return fromValue ? made : (columnInRelation({ name, at: 0 }, source, context) ?? made);
  };
  return { columns: [], open: [{ at, tables: tablesOfRow(inner), find }] };
}

/** UNPIVOT turns columns into rows. */
export function unpivotRow(
  unpivot: SyntaxNode,
  inner: RowType,
  scope: NameScope,
  context: QueryContext,
): RowType {
  const within: NameScope = { ...scope, relations: [relation([], inner)] };
  const spread = nodesOf(unpivot.columns).map((column) => {
    const { kind, body } = expressionOf(column) ?? {};
    return kind === "pivot_alias" ? body?.this : column;
  });
  const sources = sourcesOf(spread, within, context);
  const gone = new Set(spread.flatMap(namesIn).map((name) => name.toLowerCase()));
  const values = identifiersOf([unpivot.value_column, ...nodesOf(unpivot.extra_value_columns)]);
  const label = identifierOf(unpivot.name_column);
  const kept = withoutColumns(inner, gone);
  return {
    columns: [
      ...kept.columns,
      ...(label ? [{ name: label.name, at: context.toOffset(label.from ?? 0), sources: [] }] : []),
      ...values.map(({ name, from }) => ({ name, at: context.toOffset(from ?? 0), sources })),
    ],
    open: kept.open,
  };
}

/** `FOR m IN ('x' AS y)`: the column and the values, without the names of the new columns. */
const valuesOnly = (fields: unknown): readonly unknown[] =>
  nodesOf(fields).flatMap((field) => {
    const { kind, body } = expressionOf(field) ?? {};
    if (kind !== "in") return [field];
    const values = nodesOf(body?.expressions).map((value) => {
      const inner = expressionOf(value);
      return inner?.kind === "pivot_alias" ? inner.body.this : value;
    });
    return [body?.this, body?.query, values];
  });

/** The name of the column for a value of PIVOT, in lower case. */
function valueName(value: SyntaxNode): string {
  const { kind, body } = expressionOf(value) ?? {};
  const named = kind === "pivot_alias" ? expressionOf(body?.alias)?.body.name : undefined;
  const literal = kind === "literal" ? body?.value : undefined;
  return (identifierOf(named)?.name ?? (typeof literal === "string" ? literal : "")).toLowerCase();
}

/** The columns in `a` and in `(a, b)`. */
function namesIn(column: unknown): readonly string[] {
  const { kind, body } = expressionOf(column) ?? {};
  if (kind === "tuple") return nodesOf(body?.expressions).flatMap(namesIn);
  const name = identifierOf(body?.name);
  return name ? [name.name] : [];
}

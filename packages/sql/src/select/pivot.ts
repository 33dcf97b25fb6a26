import { expressionOf, identifierOf, identifiersOf, nodesOf, type SyntaxNode } from "../syntax.ts";
import { sourcesOf } from "./expression.ts";
import { inRelation } from "./names.ts";
import type { Reading } from "./reading.ts";
import { type Rows, tablesOfRows, without } from "./rows.ts";
import { relation, type Scope } from "./scope.ts";

/** PIVOT makes columns of values. Their names are not worked out: they count as made of what is aggregated. */
export function pivoted(pivot: SyntaxNode, inner: Rows, scope: Scope, reading: Reading): Rows {
  const source = relation([], inner);
  const within: Scope = { ...scope, relations: [source] };
  const made = sourcesOf(pivot.expressions, within, reading);
  const fields = valuesOnly(pivot.fields);
  sourcesOf(fields, within, reading);
  const at = inner.rest[0]?.at ?? inner.columns[0]?.at ?? 0;
  if (fields.flat().some((value) => expressionOf(value)?.kind === "select"))
    reading.complain(at, "PIVOT needs its values written out, not a subquery.");
  const values = nodesOf(pivot.fields)
    .flatMap((field) => nodesOf(expressionOf(field)?.body.expressions))
    .map(valueName);
  const find = (name: string) => {
    const key = name.toLowerCase();
    const fromValue = values.some((value) => key === value || key.startsWith(`${value}_`));
    return fromValue ? made : (inRelation({ name, at: 0 }, source, reading) ?? made);
  };
  return { columns: [], rest: [{ at, tables: tablesOfRows(inner), find }] };
}

/** UNPIVOT makes rows of columns. */
export function unpivoted(unpivot: SyntaxNode, inner: Rows, scope: Scope, reading: Reading): Rows {
  const within: Scope = { ...scope, relations: [relation([], inner)] };
  const spread = nodesOf(unpivot.columns).map((column) => {
    const { kind, body } = expressionOf(column) ?? {};
    return kind === "pivot_alias" ? body?.this : column;
  });
  const sources = sourcesOf(spread, within, reading);
  const gone = new Set(spread.flatMap(namesIn).map((name) => name.toLowerCase()));
  const values = identifiersOf([unpivot.value_column, ...nodesOf(unpivot.extra_value_columns)]);
  const label = identifierOf(unpivot.name_column);
  const kept = without(inner, gone);
  return {
    columns: [
      ...kept.columns,
      ...(label ? [{ name: label.name, at: reading.units(label.from ?? 0), sources: [] }] : []),
      ...values.map(({ name, from }) => ({ name, at: reading.units(from ?? 0), sources })),
    ],
    rest: kept.rest,
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

/** The column that a value of PIVOT becomes, in lower case. */
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

import { expressionOf, identifierOf, identifiersOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { takesUnit } from "../vocabulary/functions.ts";
import { units } from "../vocabulary/keywords.ts";
import { type NamePart, sourcesOfName } from "./column-names.ts";
import { type ColumnSource, union } from "./column-sources.ts";
import type { QueryContext } from "./query-context.ts";
import { sourcesOfRow } from "./row-type.ts";
import type { NameScope } from "./scope.ts";
import { starRow } from "./star.ts";

const queries = new Set(["select", "union", "intersect", "except", "subquery", "values"]);

/** Checks every name in an expression or clause, and returns the columns it depends on. */
export function sourcesOf(value: unknown, scope: NameScope, context: QueryContext): readonly ColumnSource[] {
  if (Array.isArray(value)) return union(...value.map((part) => sourcesOf(part, scope, context)));
  if (typeof value !== "object" || value === null) return [];
  const expression = expressionOf(value);
  if (!expression) return sourcesOf(Object.values(value), scope, context);
  const { kind, body } = expression;
  const parts = nameParts(kind, body, context);
  if (parts) return sourcesOfName(parts, scope, context);
  if (queries.has(kind)) {
    return sourcesOfRow(context.query({ [kind]: body }, { ctes: scope.ctes, outer: scope }));
  }
  if (kind === "star") return sourcesOfRow(starRow(body, scope, 0, context));
  if (kind === "lambda") {
    const locals = new Set([
      ...scope.locals,
      ...identifiersOf(body.parameters).map(({ name }) => name.toLowerCase()),
    ]);
    return sourcesOf(body.body, { ...scope, locals }, context);
  }
  const name = body.name;
  if (
    kind === "function" &&
    typeof name === "string" &&
    takesUnit.has(name.toLowerCase()) &&
    Array.isArray(body.args)
  ) {
    const [unit, ...others] = body.args;
    const named = identifierOf(expressionOf(unit)?.body.name)?.name.toLowerCase();
    return sourcesOf(named !== undefined && units.has(named) ? others : body.args, scope, context);
  }
  // A clause with one key, such as `{ this: … }`, looks like an expression and contains one or more of them.
  const inside = Object.values(value)[0];
  return sourcesOf(Array.isArray(inside) ? inside : body, scope, context);
}

/** The parts of `a`, `t.a` or `t.a.b`. The parser represents the last as a column with fields around it. */
export function nameParts(
  kind: string,
  body: SyntaxNode,
  context: QueryContext,
): readonly NamePart[] | undefined {
  if (kind === "column") {
    return [body.table, body.name].flatMap((part) => {
      const name = identifierOf(part);
      return name ? [{ name: name.name, at: context.toOffset(name.from ?? 0) }] : [];
    });
  }
  const field = kind === "dot" ? identifierOf(body.field) : undefined;
  const inner = field && expressionOf(body.this);
  const before = inner && nameParts(inner.kind, inner.body, context);
  return before && [...before, { name: field.name, at: context.toOffset(field.from ?? 0) }];
}

import { expressionOf, identifierOf, identifiersOf, type SyntaxNode } from "../syntax.ts";
import { takesUnit } from "../words/functions.ts";
import { units } from "../words/keywords.ts";
import { type NamePart, sourcesOfName } from "./names.ts";
import type { Reading } from "./reading.ts";
import { sourcesOfRows } from "./rows.ts";
import type { Scope } from "./scope.ts";
import { type ColumnSource, union } from "./sources.ts";
import { starred } from "./star.ts";

const queries = new Set(["select", "union", "intersect", "except", "subquery", "values"]);

/** Checks every name in an expression or clause, and says which columns it is made of. */
export function sourcesOf(value: unknown, scope: Scope, reading: Reading): readonly ColumnSource[] {
  if (Array.isArray(value)) return union(...value.map((part) => sourcesOf(part, scope, reading)));
  if (typeof value !== "object" || value === null) return [];
  const expression = expressionOf(value);
  if (!expression) return sourcesOf(Object.values(value), scope, reading);
  const { kind, body } = expression;
  const parts = nameParts(kind, body, reading);
  if (parts) return sourcesOfName(parts, scope, reading);
  if (queries.has(kind)) {
    return sourcesOfRows(reading.query({ [kind]: body }, { ctes: scope.ctes, outer: scope }));
  }
  if (kind === "star") return sourcesOfRows(starred(body, scope, 0, reading));
  if (kind === "lambda") {
    const locals = new Set([
      ...scope.locals,
      ...identifiersOf(body.parameters).map(({ name }) => name.toLowerCase()),
    ]);
    return sourcesOf(body.body, { ...scope, locals }, reading);
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
    return sourcesOf(named !== undefined && units.has(named) ? others : body.args, scope, reading);
  }
  // A clause with one part, such as `{ this: … }`, looks like an expression: what is inside is one or more of them.
  const inside = Object.values(value)[0];
  return sourcesOf(Array.isArray(inside) ? inside : body, scope, reading);
}

/** The parts of `a`, `t.a` or `t.a.b`, which the library keeps as a column with fields around it. */
export function nameParts(kind: string, body: SyntaxNode, reading: Reading): readonly NamePart[] | undefined {
  if (kind === "column") {
    return [body.table, body.name].flatMap((part) => {
      const name = identifierOf(part);
      return name ? [{ name: name.name, at: reading.units(name.from ?? 0) }] : [];
    });
  }
  const field = kind === "dot" ? identifierOf(body.field) : undefined;
  const inner = field && expressionOf(body.this);
  const before = inner && nameParts(inner.kind, inner.body, reading);
  return before && [...before, { name: field.name, at: reading.units(field.from ?? 0) }];
}

import { identifiersOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { columnInRelation } from "./column-names.ts";
import { type ColumnSource, union } from "./column-sources.ts";
import type { QueryContext } from "./query-context.ts";
import type { Relation } from "./scope.ts";

/** The relations of a FROM clause, as far as it was read. */
export interface FromClause {
  /** Visible in the SELECT list. */
  readonly visible: readonly Relation[];
  /** Visible in join conditions: includes the right sides of SEMI and ANTI joins. */
  readonly all: readonly Relation[];
  /** Columns that USING and NATURAL merge. */
  readonly joined: ReadonlyMap<string, readonly ColumnSource[]>;
}

/**
 * Adds joins to the relations on their left. `read` analyzes the right side, which can be LATERAL and then refer to the
 * left side. Join conditions are checked later, when all relations are known.
 */
export function addJoins(
  left: FromClause,
  joins: readonly SyntaxNode[],
  read: (right: unknown, left: readonly Relation[]) => FromClause,
  context: QueryContext,
): FromClause {
  let clause = left;
  for (const join of joins) {
    const right = read(join.this, clause.all);
    const kind = typeof join.kind === "string" ? join.kind : "";
    const oneSided = /Semi|Anti/.test(kind);
    const joined = new Map([...clause.joined, ...right.joined]);
    const shared = kind.startsWith("Natural")
      ? common(clause.visible, right.visible)
      : identifiersOf(join.using);
    for (const { name, from } of shared) {
      const at = context.toOffset(from ?? 0);
      const sides = [clause.visible, right.visible].map((side) => {
        const found = side.flatMap((relation) => columnInRelation({ name, at }, relation, context) ?? []);
        const known = side.some(
          (relation) => columnInRelation({ name, at }, relation, context) !== undefined,
        );
        if (!known) context.report(at, `USING needs a column ${name} on both sides of the join.`);
        return found;
      });
      if (!oneSided)
        joined.set(name.toLowerCase(), union(clause.joined.get(name.toLowerCase()) ?? [], ...sides));
    }
    clause = {
      visible: oneSided ? clause.visible : [...clause.visible, ...right.visible],
      all: [...clause.all, ...right.all],
      joined,
    };
  }
  return clause;
}

/** The known columns that both sides of a NATURAL join have. */
function common(
  left: readonly Relation[],
  right: readonly Relation[],
): readonly { name: string; from?: number }[] {
  const names = new Set(right.flatMap(({ index }) => [...index.keys()]));
  return left
    .flatMap(({ index }) => [...index.keys()])
    .flatMap((name) => (names.has(name) ? [{ name }] : []));
}

import { identifiersOf, type SyntaxNode } from "../parser/syntax-tree.ts";
import { columnInRelation } from "./column-names.ts";
import { type ColumnSource, union } from "./column-sources.ts";
import type { QueryContext } from "./query-context.ts";
import type { Relation } from "./scope.ts";

/** What FROM has brought so far. */
export interface FromClause {
  /** What the SELECT list sees. */
  readonly visible: readonly Relation[];
  /** What join conditions see: also the right sides of SEMI and ANTI joins. */
  readonly all: readonly Relation[];
  /** Columns that USING and NATURAL made one of two. */
  readonly joined: ReadonlyMap<string, readonly ColumnSource[]>;
}

/**
 * Adds joins to what stands left of them. `read` reads the right side of one, which may be LATERAL and see the left.
 * The conditions are looked at later, when all tables are known.
 */
export function addJoins(
  left: FromClause,
  joins: readonly SyntaxNode[],
  read: (right: unknown, left: readonly Relation[]) => FromClause,
  context: QueryContext,
): FromClause {
  let now = left;
  for (const join of joins) {
    const right = read(join.this, now.all);
    const kind = typeof join.kind === "string" ? join.kind : "";
    const oneSided = /Semi|Anti/.test(kind);
    const joined = new Map([...now.joined, ...right.joined]);
    const shared = kind.startsWith("Natural")
      ? common(now.visible, right.visible)
      : identifiersOf(join.using);
    for (const { name, from } of shared) {
      const at = context.toOffset(from ?? 0);
      const sides = [now.visible, right.visible].map((side) => {
        const found = side.flatMap((relation) => columnInRelation({ name, at }, relation, context) ?? []);
        const known = side.some(
          (relation) => columnInRelation({ name, at }, relation, context) !== undefined,
        );
        if (!known) context.report(at, `USING needs a column ${name} on both sides of the join.`);
        return found;
      });
      if (!oneSided)
        joined.set(name.toLowerCase(), union(now.joined.get(name.toLowerCase()) ?? [], ...sides));
    }
    now = {
      visible: oneSided ? now.visible : [...now.visible, ...right.visible],
      all: [...now.all, ...right.all],
      joined,
    };
  }
  return now;
}

/** The columns that both sides of a NATURAL join are known to have. */
function common(
  left: readonly Relation[],
  right: readonly Relation[],
): readonly { name: string; from?: number }[] {
  const names = new Set(right.flatMap(({ index }) => [...index.keys()]));
  return left
    .flatMap(({ index }) => [...index.keys()])
    .flatMap((name) => (names.has(name) ? [{ name }] : []));
}

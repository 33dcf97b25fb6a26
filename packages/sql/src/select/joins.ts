import { identifiersOf, type SyntaxNode } from "../syntax.ts";
import { inRelation } from "./names.ts";
import type { Reading } from "./reading.ts";
import type { Relation } from "./scope.ts";
import { type ColumnSource, union } from "./sources.ts";

/** What FROM has brought so far. */
export interface Joining {
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
export function joinedWith(
  left: Joining,
  joins: readonly SyntaxNode[],
  read: (right: unknown, left: readonly Relation[]) => Joining,
  reading: Reading,
): Joining {
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
      const at = reading.units(from ?? 0);
      const sides = [now.visible, right.visible].map((side) => {
        const found = side.flatMap((relation) => inRelation({ name, at }, relation, reading) ?? []);
        const known = side.some((relation) => inRelation({ name, at }, relation, reading) !== undefined);
        if (!known) reading.complain(at, `USING needs a column ${name} on both sides of the join.`);
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

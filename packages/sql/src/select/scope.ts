import type { Column, Rows } from "./rows.ts";
import type { ColumnSource } from "./sources.ts";

/** Something in FROM. */
export interface Relation {
  /** What its columns can be qualified with, in lower case: `[["o"]]`, or `[["orders"], ["sales", "orders"], …]`. */
  readonly names: readonly (readonly string[])[];
  readonly rows: Rows;
  /** Its columns by their names in lower case. */
  readonly index: ReadonlyMap<string, readonly Column[]>;
}

export function relation(names: Relation["names"], rows: Rows): Relation {
  const index = new Map<string, Column[]>();
  for (const column of rows.columns) {
    const key = column.name.toLowerCase();
    const same = index.get(key);
    if (same) same.push(column);
    else index.set(key, [column]);
  }
  return { names, rows, index };
}

/** The names that an expression can use. */
export interface Scope {
  readonly relations: readonly Relation[];
  /** Columns that USING and NATURAL joins made one of two. */
  readonly joined: ReadonlyMap<string, readonly ColumnSource[]>;
  /** Names that the SELECT list gives, where they can be used. */
  readonly aliases: ReadonlyMap<string, readonly ColumnSource[]>;
  /** Parameters of lambda functions. */
  readonly locals: ReadonlySet<string>;
  /** CTEs, for subqueries. */
  readonly ctes: Ctes;
  readonly outer: Scope | undefined;
}

export type Ctes = ReadonlyMap<string, Rows>;

/** Where a query stands: which CTEs it sees, and the query around it. */
export interface Surroundings {
  readonly ctes: Ctes;
  readonly outer: Scope | undefined;
}

export const emptyScope = ({ ctes, outer }: Surroundings): Scope => ({
  relations: [],
  joined: new Map(),
  aliases: new Map(),
  locals: new Set(),
  ctes,
  outer,
});

import type { ColumnSource } from "./column-sources.ts";
import type { ResultColumn, RowType } from "./row-type.ts";

/** An entry of FROM. */
export interface Relation {
  /** The qualifiers of the relation's columns, in lower case: `[["o"]]`, or `[["orders"], ["sales", "orders"], …]`. */
  readonly names: readonly (readonly string[])[];
  readonly rows: RowType;
  /** The columns by their names in lower case. */
  readonly index: ReadonlyMap<string, readonly ResultColumn[]>;
}

export function relation(names: Relation["names"], rows: RowType): Relation {
  const index = new Map<string, ResultColumn[]>();
  for (const column of rows.columns) {
    const key = column.name.toLowerCase();
    const same = index.get(key);
    if (same) same.push(column);
    else index.set(key, [column]);
  }
  return { names, rows, index };
}

/** The names that an expression can refer to. */
export interface NameScope {
  readonly relations: readonly Relation[];
  /** Columns that USING and NATURAL joins merge. */
  readonly joined: ReadonlyMap<string, readonly ColumnSource[]>;
  /** Aliases of the SELECT list, where they are visible. */
  readonly aliases: ReadonlyMap<string, readonly ColumnSource[]>;
  /** Parameters of lambda functions. */
  readonly locals: ReadonlySet<string>;
  /** CTEs that subqueries can read. */
  readonly ctes: Ctes;
  readonly outer: NameScope | undefined;
}

export type Ctes = ReadonlyMap<string, RowType>;

/** The scope around a query: the visible CTEs and the outer query. */
export interface EnclosingScope {
  readonly ctes: Ctes;
  readonly outer: NameScope | undefined;
}

export const emptyScope = ({ ctes, outer }: EnclosingScope): NameScope => ({
  relations: [],
  joined: new Map(),
  aliases: new Map(),
  locals: new Set(),
  ctes,
  outer,
});

import { type ColumnSource, oneOf, union } from "./sources.ts";

/** A column of a query's result; the name is empty where an expression was given none. */
export interface Column {
  readonly name: string;
  /** Offset of its name, or of its expression, in the text; of the table's name where `*` brought it in. */
  readonly at: number;
  readonly sources: readonly ColumnSource[];
}

/** Columns that nobody has listed: those of a table whose columns are not known. */
export interface Rest {
  readonly at: number;
  /** The tables behind it. */
  readonly tables: readonly string[];
  /** What each of its columns is made of, where that is the same for all. */
  readonly each?: readonly ColumnSource[];
  /** It stands for something that was refused, and needs no second complaint. */
  readonly refused?: true;
  /** Where a column comes from, if it is one of these; undefined if it surely is not. */
  find(name: string): readonly ColumnSource[] | undefined;
}

/** What a table, a subquery or a CTE gives. */
export interface Rows {
  readonly columns: readonly Column[];
  readonly rest: readonly Rest[];
}

export const nothing: Rows = { columns: [], rest: [] };

export const sourcesOfRows = ({ columns, rest }: Rows): readonly ColumnSource[] =>
  union(
    ...columns.map(({ sources }) => sources),
    ...rest.map(({ tables }) => tables.map((table) => ({ table, column: "*" }))),
  );

/** All tables behind rows, known by column or not. */
export const tablesOfRows = (rows: Rows): readonly string[] =>
  sourcesOfRows(rows).flatMap((source) => (source.table === null ? source.candidates : [source.table]));

/** A table whose columns are not known. */
export const openTable = (table: string, at: number): Rows => ({
  columns: [],
  rest: [{ at, tables: [table], find: (column) => [{ table, column }] }],
});

/** Columns of unknown names that are all made of the same: what `explode(x)` gives. */
export const unnamed = (at: number, sources: readonly ColumnSource[]): Rows => ({
  columns: [],
  rest: [
    {
      at,
      tables: tablesOfRows({ columns: [{ name: "", at, sources }], rest: [] }),
      each: sources,
      find: () => sources,
    },
  ],
});

/** Stands in for what was refused, so that one mistake is not reported ten times. */
export const anything = (at: number): Rows => ({
  columns: [],
  rest: [{ at, tables: [], refused: true, find: () => [] }],
});

/** Without the columns of these names (lower case). */
export const without = ({ columns, rest }: Rows, names: ReadonlySet<string>): Rows =>
  names.size === 0
    ? { columns, rest }
    : {
        columns: columns.filter(({ name }) => !names.has(name.toLowerCase())),
        rest: rest.map((part) => ({
          ...part,
          find: (name) => (names.has(name.toLowerCase()) ? undefined : part.find(name)),
        })),
      };

/** Columns by position under new names. Where the positions are not known, neither are the sources' names. */
export function renamed(rows: Rows, names: readonly { readonly name: string; readonly at: number }[]): Rows {
  if (names.length === 0) return rows;
  const [only] = rows.rest;
  const sources = only && ((rows.columns.length === 0 && only.each) || oneOf(tablesOfRows(rows), "*"));
  return {
    columns: names.map(({ name, at }, index) => ({
      name,
      at,
      sources: sources ?? rows.columns[index]?.sources ?? [],
    })),
    rest: [],
  };
}

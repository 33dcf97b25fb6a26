import { type ColumnSource, oneOf, union } from "./column-sources.ts";

/** A column of a query's result; the name is empty where an expression was given none. */
export interface ResultColumn {
  readonly name: string;
  /** Offset of its name, or of its expression, in the text; of the table's name where `*` brought it in. */
  readonly at: number;
  readonly sources: readonly ColumnSource[];
}

/** Columns that nobody has listed: those of a table whose columns are not known. */
export interface OpenColumns {
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
export interface RowType {
  readonly columns: readonly ResultColumn[];
  readonly open: readonly OpenColumns[];
}

export const noColumns: RowType = { columns: [], open: [] };

export const sourcesOfRow = ({ columns, open: rest }: RowType): readonly ColumnSource[] =>
  union(
    ...columns.map(({ sources }) => sources),
    ...rest.map(({ tables }) => tables.map((table) => ({ table, column: "*" }))),
  );

/** All tables behind rows, known by column or not. */
export const tablesOfRow = (rows: RowType): readonly string[] =>
  sourcesOfRow(rows).flatMap((source) => (source.table === null ? source.candidates : [source.table]));

/** A table whose columns are not known. */
export const openTableRow = (table: string, at: number): RowType => ({
  columns: [],
  open: [{ at, tables: [table], find: (column) => [{ table, column }] }],
});

/** Columns of unknown names that are all made of the same: what `explode(x)` gives. */
export const unnamedColumns = (at: number, sources: readonly ColumnSource[]): RowType => ({
  columns: [],
  open: [
    {
      at,
      tables: tablesOfRow({ columns: [{ name: "", at, sources }], open: [] }),
      each: sources,
      find: () => sources,
    },
  ],
});

/** Stands in for what was refused, so that one mistake is not reported ten times. */
export const unknownRow = (at: number): RowType => ({
  columns: [],
  open: [{ at, tables: [], refused: true, find: () => [] }],
});

/** Without the columns of these names (lower case). */
export const withoutColumns = ({ columns, open: rest }: RowType, names: ReadonlySet<string>): RowType =>
  names.size === 0
    ? { columns, open: rest }
    : {
        columns: columns.filter(({ name }) => !names.has(name.toLowerCase())),
        open: rest.map((part) => ({
          ...part,
          find: (name) => (names.has(name.toLowerCase()) ? undefined : part.find(name)),
        })),
      };

/** Columns by position under new names. Where the positions are not known, neither are the sources' names. */
export function renameColumns(
  rows: RowType,
  names: readonly { readonly name: string; readonly at: number }[],
): RowType {
  if (names.length === 0) return rows;
  const [only] = rows.open;
  const sources = only && ((rows.columns.length === 0 && only.each) || oneOf(tablesOfRow(rows), "*"));
  return {
    columns: names.map(({ name, at }, index) => ({
      name,
      at,
      sources: sources ?? rows.columns[index]?.sources ?? [],
    })),
    open: [],
  };
}

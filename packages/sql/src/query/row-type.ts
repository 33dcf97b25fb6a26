import { type ColumnSource, oneOf, union } from "./column-sources.ts";

/** A column of a result. An expression without an alias has an empty name. */
export interface ResultColumn {
  readonly name: string;
  /** The offset of the column's name or expression; for a column from `*`, the offset of the table's name. */
  readonly at: number;
  readonly sources: readonly ColumnSource[];
  /** The type of a table's column, if known. */
  readonly type?: string;
  /** The column comes from a `*`. */
  readonly isFromStar?: true;
}

/** Columns that are not listed individually: those of a table with unknown columns. */
export interface OpenColumns {
  readonly at: number;
  /** The tables of these columns. */
  readonly tables: readonly string[];
  /** The sources of each of these columns, if all have the same sources. */
  readonly each?: readonly ColumnSource[];
  /** A placeholder after an error that is already reported; it causes no further diagnostics. */
  readonly refused?: true;
  /** The sources of a column that may be one of these; undefined if it cannot be. */
  find(name: string): readonly ColumnSource[] | undefined;
}

/** The columns of a table, a subquery or a CTE. */
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

/** All tables that the columns come from. */
export const tablesOfRow = (rows: RowType): readonly string[] =>
  sourcesOfRow(rows).flatMap((source) => (source.table === null ? source.candidates : [source.table]));

/** A table with unknown columns. */
export const openTableRow = (table: string, at: number): RowType => ({
  columns: [],
  open: [{ at, tables: [table], find: (column) => [{ table, column }] }],
});

/** Columns with unknown names and common sources, such as those of `explode(x)`. */
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

/** A placeholder after an error that is already reported, so that the error does not cause further reports. */
export const unknownRow = (at: number): RowType => ({
  columns: [],
  open: [{ at, tables: [], refused: true, find: () => [] }],
});

/** Removes the columns with these names (lower case). */
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

/** Renames columns by position. If positions are unknown, the sources are whole tables. */
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

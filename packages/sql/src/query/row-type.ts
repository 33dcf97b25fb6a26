import { type ColumnSource, oneOf, union } from "./column-sources.ts";

/** A column of a result. An expression without an alias has an empty name. */
export interface ResultColumn {
  readonly name: string;
  /** Offset of its name or expression in the text; of the table's name if it comes from `*`. */
  readonly at: number;
  readonly sources: readonly ColumnSource[];
  /** Its type, if it is a table's column whose type is known. */
  readonly type?: string;
  /** Comes from a `*`. */
  readonly isFromStar?: true;
}

/** Columns that are not listed: those of a table with unknown columns. */
export interface OpenColumns {
  readonly at: number;
  /** The tables that they come from. */
  readonly tables: readonly string[];
  /** The sources of each of these columns, if they are the same for all. */
  readonly each?: readonly ColumnSource[];
  /** A placeholder for something already reported; it causes no further diagnostics. */
  readonly refused?: true;
  /** The sources of a column that can be one of these; undefined if it cannot. */
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

/** A placeholder after a reported mistake, so that it is not reported ten times. */
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

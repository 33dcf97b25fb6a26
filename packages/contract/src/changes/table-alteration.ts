import { hasName, sameName } from "./consequence.ts";

/** One change of the columns of a table. Each change applies to the result of those before it. */
export type TableChange =
  | { readonly change: "set_type"; readonly column: string; readonly type: string }
  | { readonly change: "drop"; readonly column: string }
  | { readonly change: "rename"; readonly column: string; readonly name: string }
  /** `after` is the preceding column; null puts the column first. */
  | { readonly change: "move"; readonly column: string; readonly after: string | null };

export interface TableColumn {
  readonly name: string;
  /** In Databricks SQL. */
  readonly type: string;
}

/** A column of the altered table. */
export interface AlteredColumn extends TableColumn {
  readonly before: TableColumn;
}

export interface AlteredTable {
  readonly columns: readonly AlteredColumn[];
  readonly dropped: readonly TableColumn[];
}

/** Whether the remaining columns have another order. */
export const isReordered = ({ columns }: AlteredTable, before: readonly TableColumn[]): boolean => {
  const places = columns.map((column) => before.findIndex(({ name }) => name === column.before.name));
  return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
};

/** Control characters are invisible in a name, and names of Lakehelm's own columns begin with `_lakehelm`. */
const invalidName = /[\p{Cc}\p{Cs}]|^\s|\s$|^_lakehelm|^rowid$|^$/iu;
const longestName = 255;

/** The columns after all changes, or why the changes are impossible. */
export function alterColumns(
  table: string,
  before: readonly TableColumn[],
  changes: readonly TableChange[],
): AlteredTable | { readonly problem: string } {
  let columns: AlteredColumn[] = before.map(({ name, type }) => ({ name, type, before: { name, type } }));
  for (const change of changes) {
    const at = columns.findIndex(({ name }) => sameName(name, change.column));
    const column = columns[at];
    if (!column) return { problem: missing(table, change.column, columns) };
    const others = columns.toSpliced(at, 1);
    if (change.change === "drop") columns = others;
    else if (change.change === "set_type") columns = columns.with(at, { ...column, type: change.type });
    else if (change.change === "rename") {
      const { name } = change;
      if (invalidName.test(name) || name.length > longestName)
        return {
          problem: `${JSON.stringify(name)} cannot be the name of a column: a name has 1 to ${longestName} characters, no control characters, no blank at its ends, and is neither "rowid" nor begins with "_lakehelm".`,
        };
      if (others.some((one) => sameName(one.name, name)))
        return { problem: `${table} already has a column ${JSON.stringify(name)}.` };
      columns = columns.with(at, { ...column, name });
    } else {
      const { after } = change;
      if (after !== null && sameName(after, column.name))
        return {
          problem: `The column ${JSON.stringify(column.name)} of ${table} cannot be moved after itself. Move it after another column, or put it first.`,
        };
      const place = after === null ? -1 : others.findIndex(({ name }) => sameName(name, after));
      if (after !== null && place < 0) return { problem: missing(table, after, others) };
      columns = others.toSpliced(place + 1, 0, column);
    }
  }
  if (columns.length === 0) return { problem: `${table} would have no column. Drop fewer columns.` };
  const kept = columns.map((column) => column.before.name);
  return { columns, dropped: before.filter(({ name }) => !hasName(kept, name)) };
}

const missing = (table: string, column: string, columns: readonly TableColumn[]): string => {
  const shown = columns.slice(0, 50).map(({ name }) => name);
  const more = columns.length > shown.length ? ` and ${columns.length - shown.length} more` : "";
  return `${table} has no column ${JSON.stringify(column)}. Its columns: ${shown.join(", ")}${more}.`;
};

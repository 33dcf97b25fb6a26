/** Where a value of the result comes from. */
export type ColumnSource =
  /** A column of a table; `*` where only the table is known, as behind `struct(*)` or PIVOT. */
  | { readonly table: string; readonly column: string }
  /** A column without its table's name, where several tables whose columns are not known could have it. */
  | { readonly table: null; readonly column: string; readonly candidates: readonly string[] };

/** Each source once, in the order in which they were found. */
export function union(...lists: readonly (readonly ColumnSource[])[]): readonly ColumnSource[] {
  const [only] = lists;
  if (only && lists.length === 1 && only.length < 2) return only;
  const found = new Map<string, ColumnSource>();
  for (const source of lists.flat()) {
    const tables = source.table === null ? source.candidates.join("\n") : source.table;
    const key = `${source.table === null}\n${source.column.toLowerCase()}\n${tables}`;
    if (!found.has(key)) found.set(key, source);
  }
  return [...found.values()];
}

/** A column that one of several tables has. */
export function oneOf(tables: readonly string[], column: string): readonly ColumnSource[] {
  const candidates = [...new Set(tables)];
  const [only] = candidates;
  if (only === undefined) return [];
  return candidates.length === 1 ? [{ table: only, column }] : [{ table: null, column, candidates }];
}

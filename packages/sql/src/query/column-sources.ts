/** A source of a value in the result. */
export type ColumnSource =
  /** A column of a table; `*` if only the table is known, as with `struct(*)` or PIVOT. */
  | { readonly table: string; readonly column: string }
  /** A column of one of several tables with unknown columns. */
  | { readonly table: null; readonly column: string; readonly candidates: readonly string[] };

/** Each source once, in the order of the lists. */
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

/** A column of one of several tables. */
export function oneOf(tables: readonly string[], column: string): readonly ColumnSource[] {
  const candidates = [...new Set(tables)];
  const [only] = candidates;
  if (only === undefined) return [];
  return candidates.length === 1 ? [{ table: only, column }] : [{ table: null, column, candidates }];
}

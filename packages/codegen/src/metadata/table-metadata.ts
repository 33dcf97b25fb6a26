/** The current metadata of a table in a catalog. A missing field is unknown; null is known to be empty. */
export interface TableMetadata extends ObjectMetadata {
  readonly columns: Readonly<Record<string, ColumnMetadata>>;
}

interface ColumnMetadata extends ObjectMetadata {
  /** The type in Databricks' notation: `STRUCT<a: INT>`. */
  readonly type?: string;
}

/** A table or a column. */
export interface ObjectMetadata {
  readonly description?: string | null;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The form in which column names are compared: catalogs ignore case. */
export const columnKey = (name: string): string => name.toLowerCase();

/** A table's columns by `columnKey`. */
export const columnsByKey = (known: TableMetadata | undefined): ReadonlyMap<string, ObjectMetadata> =>
  new Map(Object.entries(known?.columns ?? {}).map(([name, column]) => [columnKey(name), column]));

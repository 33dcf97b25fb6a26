/** What a catalog knows of a table as it is now. A field that is not there is not known; null is known to be empty. */
export interface KnownTable extends KnownObject {
  readonly columns: Readonly<Record<string, KnownObject>>;
}

/** A table or a column. */
export interface KnownObject {
  readonly description?: string | null;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Names of columns are compared as catalogs do: without regard to case. */
export const sameColumn = (name: string): string => name.toLowerCase();

/** A table's columns by their names as they are compared. */
export const knownColumns = (known: KnownTable | undefined): ReadonlyMap<string, KnownObject> =>
  new Map(Object.entries(known?.columns ?? {}).map(([name, column]) => [sameColumn(name), column]));

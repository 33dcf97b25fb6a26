/** What the tables of a connector need of the code that reads them. */
export interface ReadFeatures {
  readonly watermarks: boolean;
  readonly leavesOut: boolean;
  /** The number of parts of a table, if any table is divided, and whether a table has bounds of its own. */
  readonly partitions: { readonly count: number; readonly bounded: boolean } | null;
}

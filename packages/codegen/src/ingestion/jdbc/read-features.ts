/** The features that the tables of a connector need from the code that reads them. */
export interface ReadFeatures {
  readonly watermarks: boolean;
  readonly leavesOut: boolean;
  /** The number of parts of a table, if any table is divided, and whether any table has explicit bounds. */
  readonly partitions: { readonly count: number; readonly bounded: boolean } | null;
}

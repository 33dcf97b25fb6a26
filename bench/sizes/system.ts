/** A kind of connector. An absent direction is not supported. */
export interface SizedSystem {
  readonly name: string;
  /** How rows leave the warehouse, into a table with this name. */
  readonly target?: (table: string) => { readonly type: string; readonly config: Record<string, unknown> };
  /** How the rows of a table are read. */
  readonly source?: (table: string) => {
    readonly connection: Record<string, unknown>;
    readonly dataset: string;
    /** A watermark column other than `updated_at`. */
    readonly watermark?: string;
  };
  /** Whether the system is measured with a watermark, without one, or both. Absent: like the other systems. */
  readonly watermarks?: readonly boolean[];
  /** The columns whose sums are compared, if not all columns can be. */
  readonly columns?: readonly ["id", "quantity"];
  /** Changes the rows of a system that does not get its rows from the warehouse. */
  readonly change?: (round: number) => Promise<void>;
  /** The expected sums, if the rows do not come from the warehouse. */
  readonly expectedSums?: () => Promise<string>;
  /** The sums of the rows that arrived in a system that cannot be read. */
  readonly arrivedSums?: (table: string) => Promise<string>;
  /** Deletes the system's data, so that the next system has space. */
  readonly clear?: () => Promise<void>;
}

export interface SystemsOptions {
  readonly files: string;
  readonly postgres: URL;
  readonly rows: number;
  readonly closing: (() => Promise<void>)[];
}

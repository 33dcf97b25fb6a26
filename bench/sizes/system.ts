/** A kind of connector. Absent: it has no such direction. */
export interface SizedSystem {
  readonly name: string;
  /** How the rows of the warehouse leave, into a table of this name. */
  readonly target?: (table: string) => { readonly type: string; readonly config: Record<string, unknown> };
  /** How the rows of a table come in. */
  readonly source?: (table: string) => {
    readonly connection: Record<string, unknown>;
    readonly dataset: string;
    /** Another one than `updated_at`. */
    readonly watermark?: string;
  };
  /** Whether it is tried with a watermark, without one, or both. Absent: as the others. */
  readonly watermarks?: readonly boolean[];
  /** The columns whose sums are compared, if not all can be. */
  readonly columns?: readonly ["id", "quantity"];
  /** Changes the rows of a system that does not get them from the warehouse. */
  readonly change?: (round: number) => Promise<void>;
  /** The sums of its own rows, if they do not come from the warehouse. */
  readonly expectedSums?: () => Promise<string>;
  /** The sums of what has arrived in a system that cannot be read back. */
  readonly arrivedSums?: (table: string) => Promise<string>;
  /** Deletes what it keeps, so that the next system has room. */
  readonly clear?: () => Promise<void>;
}

export interface SystemsOptions {
  readonly files: string;
  readonly postgres: URL;
  readonly rows: number;
  readonly closing: (() => Promise<void>)[];
}

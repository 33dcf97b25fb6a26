/** What the driver (scripts/spark/driver.py) answers. */

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
/** Timestamps, dates, decimals and integers beyond 2^53 are text; binary is hexadecimal text. */
export type Row = Readonly<Record<string, Value>>;

export interface Failure {
  readonly type: string;
  /** Spark's name for the error, such as `TABLE_OR_VIEW_NOT_FOUND`. */
  readonly condition?: string;
  readonly message: string;
  readonly trace: string;
}

/** How a notebook ended. */
export interface Ending {
  /** What it printed; nothing is known of it where the process was killed by a signal. */
  readonly output: string;
  readonly died: boolean;
  readonly error?: Failure;
  /** The value of `dbutils.notebook.exit`. */
  readonly exit?: string;
}

/** While a request runs, a line for each effect; then a line that is `done`. */
export type Line =
  | { readonly done?: never; readonly effect: string }
  | {
      readonly done: true;
      readonly rows?: readonly Row[];
      readonly ending?: Ending;
      readonly failure?: Failure;
    };

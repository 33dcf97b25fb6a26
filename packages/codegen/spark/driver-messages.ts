/** Messages of the driver (scripts/spark/driver.py). */

type SparkValue =
  | string
  | number
  | boolean
  | null
  | readonly SparkValue[]
  | { readonly [name: string]: SparkValue };
/** Timestamps, dates, decimals and integers beyond 2^53 are strings; binary values are hexadecimal strings. */
export type SparkRow = Readonly<Record<string, SparkValue>>;

/** A result with its types as Spark writes them: `decimal(10,2)`, `array<int>`. */
export interface TypedRows {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly SparkValue[])[];
}

export interface Failure {
  readonly type: string;
  /** Spark's name for the error, such as `TABLE_OR_VIEW_NOT_FOUND`. */
  readonly condition?: string;
  readonly message: string;
  readonly trace: string;
}

export interface NotebookEnding {
  /** The printed text; empty if a signal killed the process. */
  readonly output: string;
  readonly crashed: boolean;
  readonly error?: Failure;
  /** The value of `dbutils.notebook.exit`. */
  readonly exit?: string;
}

/** The driver sends a line for each effect while a request runs, then a line with `done`. */
export type DriverMessage =
  | { readonly done?: never; readonly effect: string }
  | {
      readonly done: true;
      readonly rows?: readonly SparkRow[];
      readonly answer?: TypedRows;
      readonly ending?: NotebookEnding;
      readonly failure?: Failure;
    };

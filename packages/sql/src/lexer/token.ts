/** A word of a statement, as Spark and Databricks cut statements into words. */
export interface SqlToken {
  readonly kind: "word" | "quoted" | "string" | "number" | "mark" | "hint";
  /** As it was written. */
  readonly text: string;
  /** A word in lower case, a quoted name without its backticks, anything else as it was written. */
  readonly value: string;
  /** Offsets in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Something wrong at an offset. */
export interface Diagnostic {
  readonly at: number;
  readonly message: string;
}

export interface TokenizedText {
  readonly tokens: readonly SqlToken[];
  readonly diagnostics: readonly Diagnostic[];
}

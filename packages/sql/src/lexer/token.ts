/** A token of a statement, as Spark and Databricks split statements. */
export interface SqlToken {
  readonly kind: "word" | "quoted" | "string" | "number" | "mark" | "hint";
  /** The text as written. */
  readonly text: string;
  /** A word in lower case, a quoted name without its backticks, anything else as written. */
  readonly value: string;
  /** Offsets in UTF-16 units, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A problem at an offset (in UTF-16 units) of a text. */
export interface Diagnostic {
  readonly at: number;
  readonly message: string;
}

export interface TokenizedText {
  readonly tokens: readonly SqlToken[];
  readonly diagnostics: readonly Diagnostic[];
}

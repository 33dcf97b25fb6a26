/** DuckDB's message without its kind and its excerpt of our SQL. */
export const plainMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split("\n")[0]
    ?.replace(/^[A-Za-z ]+ Error: /, "") ?? "";

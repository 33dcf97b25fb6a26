import { raisedMessage } from "./queries/raised-error.ts";

/** DuckDB's message without its category and its excerpt of our SQL. For an error that we raise in SQL, our sentence. */
export function duckdbMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return raisedMessage(message) ?? message.split("\n")[0]?.replace(/^[A-Za-z ]+ Error: /, "") ?? "";
}

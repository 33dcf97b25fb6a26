import { raisedMessage } from "./queries/raised-error.ts";

/** DuckDB's message without its kind and its excerpt of our SQL; of a failure that we have made, our sentence. */
export function duckdbMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return raisedMessage(message) ?? message.split("\n")[0]?.replace(/^[A-Za-z ]+ Error: /, "") ?? "";
}

import { raisedMessage } from "./queries/raised-error.ts";

/** DuckDB quotes values of any length. A message needs only the beginning and the end of them. */
const headCharacters = 4_000;
const tailCharacters = 1_000;

/** The message of an error, shortened in the middle. Everything that reads DuckDB's messages reads this. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.length <= headCharacters + tailCharacters) return message;
  return `${message.slice(0, headCharacters)} … ${message.slice(-tailCharacters)}`;
}

/**
 * DuckDB's message without its category and its excerpt of the SQL. For an error that the engine raises in SQL, the
 * engine's own sentence.
 */
export function duckdbMessage(error: unknown): string {
  const message = errorText(error);
  return raisedMessage(message) ?? message.split("\n")[0]?.replace(/^[A-Za-z ]+ Error: /, "") ?? "";
}

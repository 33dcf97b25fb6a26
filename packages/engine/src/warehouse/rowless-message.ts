import { withoutValues } from "../protocol/without-values.ts";
import { duckdbMessage, errorText } from "./duckdb-message.ts";
import { raisedMessage } from "./queries/raised-error.ts";

/** Errors about rows. All other errors of DuckDB are about the statement: they name only what its author wrote. */
const ofRows = /^(?:Conversion|Invalid Input|Out of Range|Constraint|Mismatch Type|Invalid Type) Error: /;

/** Messages about rows whose colons, quotes and numbers belong to types and constraints. */
const safe: readonly RegExp[] = [
  /^Unimplemented type for cast \(/,
  /^Type .* can't be (?:cast|implicitly cast) as /,
  /^(?:NOT NULL|CHECK) constraint failed/,
  /^Malformed JSON at byte \d+ of input: [a-z ,]+\.?$/i,
  /^Cannot cast (?:list|array) (?:with length|of size) \d+ to array (?:with length|of size) \d+/,
  /is only allowed|More than one row returned by a subquery/,
];

/**
 * The message of a run's error, without values of rows. Known messages lose the values that they quote. Other messages
 * about rows keep only the words up to the first colon, without quotations and numbers, because not all messages of
 * DuckDB are known.
 */
export function rowlessMessage(error: unknown): string {
  const message = duckdbMessage(error);
  const known = withoutValues(message);
  const text = errorText(error);
  if (known !== message || !ofRows.test(text) || raisedMessage(text) !== undefined) return known;
  if (safe.some((pattern) => pattern.test(message))) return known;
  return (message.split(/: |[[{<]/, 1)[0] ?? "")
    .replace(/(["']).*\1/gs, "…")
    .replace(/["'].*$/s, "…")
    .replace(/-?\b\d[\d.,:+eE_-]*(?!\w)/g, "…")
    .trim();
}

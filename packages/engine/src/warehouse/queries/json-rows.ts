import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from "@duckdb/node-api";
import { encodeJson } from "@lakehelm/contract/schema";
import { type ResultPage, rowTooLarge } from "./result-page.ts";

/**
 * The JSON text of a page. The page ends earlier if its text is longer than an answer may be: escapes can take six
 * times the space.
 */
export function jsonPage(
  page: ResultPage,
  most: number,
): { readonly rows: Uint8Array; readonly count: number; readonly more: boolean } {
  const texts: Buffer[] = [];
  let bytes = 2;
  for (let row = 0; row < page.count; row += 1) {
    const values = page.values.map((column) => jsonValue(column[row] ?? null));
    const text = Buffer.from(`${row === 0 ? "[" : ","}${encodeJson(values)}`);
    bytes += text.length;
    if (bytes > most) {
      if (row === 0) throw rowTooLarge(most);
      return { rows: Buffer.concat([...texts, Buffer.from("]")]), count: row, more: true };
    }
    texts.push(text);
  }
  const end = Buffer.from(page.count === 0 ? "[]" : "]");
  return { rows: Buffer.concat([...texts, end]), count: page.count, more: page.more };
}

/** Rows as lists of JSON values without loss: a number that a double cannot hold is a string. */
export const jsonRows = ({ values, count }: ResultPage): unknown[][] =>
  Array.from({ length: count }, (_, row) => values.map((column) => jsonValue(column[row] ?? null)));

export function jsonValue(value: DuckDBValue): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return value.items.map(jsonValue);
  if (value instanceof DuckDBStructValue) return object(Object.entries(value.entries));
  if (value instanceof DuckDBMapValue)
    return object(value.entries.map(({ key, value: of }) => [textOf(key), of]));
  if (value instanceof DuckDBUnionValue) return jsonValue(value.value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString("base64");
  if (value instanceof DuckDBTimestampTZValue) {
    const moment = iso(new DuckDBTimestampValue(value.micros));
    return /^\d/.test(moment) ? `${moment}Z` : moment;
  }
  if (
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  ) {
    return iso(value);
  }
  // Decimals, dates, times, intervals and UUIDs, as DuckDB writes them.
  return String(value);
}

const iso = (moment: { toString(): string }): string => moment.toString().replace(" ", "T");

const textOf = (key: DuckDBValue): string => {
  const json = jsonValue(key);
  return typeof json === "string" ? json : JSON.stringify(json);
};

const object = (entries: readonly (readonly [string, DuckDBValue])[]): Record<string, unknown> =>
  Object.fromEntries(entries.map(([name, value]) => [name, jsonValue(value)]));

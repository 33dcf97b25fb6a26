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
import type { ResultPage } from "./result-page.ts";

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

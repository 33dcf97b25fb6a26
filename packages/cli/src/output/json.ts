import { escapeInStrings } from "./escape.ts";

/** Answers have integers beyond 2^53 as bigints; JSON has them as digits. */
const withBigints = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;

export const toJson = (value: unknown, indent = 2): string =>
  escapeInStrings(JSON.stringify(value, withBigints, indent) ?? "null");

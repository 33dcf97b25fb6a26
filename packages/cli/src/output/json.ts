import { escapeInStrings } from "./escape.ts";

/** Integers beyond 2^53 are bigints in answers, and digits here. */
const withBigints = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? JSON.rawJSON(value.toString()) : value;

export const toJson = (value: unknown, indent = 2): string =>
  escapeInStrings(JSON.stringify(value, withBigints, indent) ?? "null");

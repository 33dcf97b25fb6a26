import { keepsDigits } from "../exact-float.ts";

/** Standard since 2025, but not yet in TypeScript's declarations. */
declare global {
  interface RawJSON {
    readonly rawJSON: string;
  }
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): RawJSON;
    isRawJSON(value: unknown): value is RawJSON;
  }
}

/** Parses JSON. A number that a double cannot hold keeps its digits as raw JSON, and is written unchanged. */
export function parseExact(text: string): unknown {
  // A double holds fifteen digits. Most texts have no longer numbers and need no reviver.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && !isExact(value, source)
      ? JSON.rawJSON(source)
      : value,
  );
}

function isExact(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  return keepsDigits(value, source);
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

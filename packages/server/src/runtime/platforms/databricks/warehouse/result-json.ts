import type { ResultColumn } from "./statement.ts";

const integers = new Set(["BYTE", "SHORT", "INT", "LONG"]);
const trees = new Set(["ARRAY", "MAP", "STRUCT"]);

export const isInteger = ({ kind }: ResultColumn): boolean => integers.has(kind);

/** A value of a result, which is text, as JSON has it. A number that a double cannot hold stays a string. */
export function jsonValue(text: string | null, { kind }: ResultColumn): unknown {
  if (text === null) return null;
  if (integers.has(kind)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (kind === "DOUBLE" || kind === "FLOAT") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === "BOOLEAN") return text === "true";
  return trees.has(kind) ? treeIn(text) : text;
}

function treeIn(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown, { source }: { readonly source?: string }) =>
      typeof value === "number" && source !== undefined && !isExact(value, source) ? source : value,
    );
  } catch {
    return text;
  }
}

const isExact = (value: number, source: string): boolean =>
  Number.isSafeInteger(value) || !/^-?\d+$/.test(source);

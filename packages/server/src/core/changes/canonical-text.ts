import { encodeJson } from "@lakehelm/contract/schema";

/** The same text for values that mean the same: keys are sorted, and null counts as absent. */
export function canonicalText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value !== "object") return encodeJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Numbers beyond the range of JavaScript's numbers are objects of a class.
  if (prototype !== Object.prototype && prototype !== null) return encodeJson(value);
  let text = "";
  const keys = Object.keys(value);
  // JavaScript lists keys that are numbers first, so the first key shows whether there are any.
  if (isIndex(keys[0] ?? "")) keys.sort(byKey);
  else keys.sort();
  for (const key of keys) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (item === null || item === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalText(item)}`;
  }
  return `{${text}}`;
}

/**
 * Keys that are numbers come first, ordered by value, as in a JavaScript object: digests of earlier versions stay the
 * same.
 */
function byKey(a: string, b: string): number {
  const [one, other] = [isIndex(a), isIndex(b)];
  if (one && other) return Number(a) - Number(b);
  if (one !== other) return one ? -1 : 1;
  return a < b ? -1 : 1;
}

const isIndex = (key: string) => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

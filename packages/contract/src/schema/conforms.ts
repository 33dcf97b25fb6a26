import type { Entry } from "./entry.ts";
import { has, isObject } from "./object.ts";
import type { AnySchema } from "./schema.ts";

/**
 * For answers: undefined if parsing would change nothing (no error, coercion, default or dropped key), else one
 * sentence that says where and what, and never shows a value. A key whose value is undefined counts as absent.
 */
export function conforms(schema: AnySchema, value: unknown): string | undefined {
  const entries: Entry[] = [];
  const parsed = schema.check(value, [], entries);
  const [first] = entries;
  return first ? `${place(first.loc)}: ${first.msg}` : change(value, parsed, []);
}

function change(sent: unknown, parsed: unknown, loc: (string | number)[]): string | undefined {
  if (sent === parsed) return undefined;
  if (Array.isArray(sent) && Array.isArray(parsed)) return changedItem(sent, parsed, loc);
  if (!isObject(sent) || !isObject(parsed)) {
    return `${place(loc)}: the ${typeof sent} would become another ${typeof parsed}`;
  }
  for (const key of Object.keys(sent)) {
    if (sent[key] === undefined) continue;
    const at = [...loc, key];
    if (!has(parsed, key)) return `${place(at)}: not a field of the contract`;
    const found = change(sent[key], parsed[key], at);
    if (found !== undefined) return found;
  }
  for (const key of Object.keys(parsed)) {
    if (!has(sent, key) || sent[key] === undefined) return `${place([...loc, key])}: left to its default`;
  }
  return undefined;
}

function changedItem(sent: unknown[], parsed: unknown[], loc: (string | number)[]): string | undefined {
  for (const [position, item] of sent.entries()) {
    const found = change(item, parsed[position], [...loc, position]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function place(loc: readonly (string | number)[]): string {
  return loc.length > 0 ? loc.join(".") : "the whole";
}

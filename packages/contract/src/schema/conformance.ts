import { type AnySchema, has, isObject } from "./schema.ts";
import type { ValidationError } from "./validation-error.ts";

/**
 * Checks a response: undefined if parsing would not change it (no error, coercion, default or dropped key), else a
 * message with the location. The message never contains a value. A key whose value is undefined counts as absent.
 */
export function conformanceError(schema: AnySchema, value: unknown): string | undefined {
  const errors: ValidationError[] = [];
  const parsed = schema.check(value, [], errors);
  const [first] = errors;
  return first ? `${pathText(first.loc)}: ${first.msg}` : difference(value, parsed, []);
}

function difference(sent: unknown, parsed: unknown, loc: (string | number)[]): string | undefined {
  if (sent === parsed) return undefined;
  if (Array.isArray(sent) && Array.isArray(parsed)) return itemDifference(sent, parsed, loc);
  if (!isObject(sent) || !isObject(parsed)) {
    return `${pathText(loc)}: parsing would convert the ${typeof sent} to a different ${typeof parsed}`;
  }
  for (const key of Object.keys(sent)) {
    if (sent[key] === undefined) continue;
    const at = [...loc, key];
    if (!has(parsed, key)) return `${pathText(at)}: not a field of the schema`;
    const found = difference(sent[key], parsed[key], at);
    if (found !== undefined) return found;
  }
  for (const key of Object.keys(parsed)) {
    if (!has(sent, key) || sent[key] === undefined)
      return `${pathText([...loc, key])}: missing, and has a default`;
  }
  return undefined;
}

function itemDifference(sent: unknown[], parsed: unknown[], loc: (string | number)[]): string | undefined {
  for (const [position, item] of sent.entries()) {
    const found = difference(item, parsed[position], [...loc, position]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function pathText(loc: readonly (string | number)[]): string {
  return loc.length > 0 ? loc.join(".") : "the response";
}

import { isObject } from "./object.ts";
import { type Decoded, deepestNesting, parsePythonJson } from "./python-json.ts";

export type { Decoded };

/**
 * What native parsing would read differently: integers that may be unsafe, floats that may overflow, surrogate
 * escapes, and keys such as "0" whose place among the others it forgets. A hit only costs time.
 */
const needsCare = /\d{16}|[eE]\+?\d{3}|\\u[dD][89a-fA-F]|"(?:\d|\\u003\d)+"[ \t\n\r]*:/;

/** Reads JSON as Python's json module does. Native parsing does it where both provably agree. */
export function decodeJson(text: string): Decoded {
  const isPlain = text.isWellFormed() && !needsCare.test(text) && !isDeep(text);
  if (isPlain) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      // Malformed, or NaN and the like: Python's grammar says which.
    }
  }
  return parsePythonJson(text);
}

/** Counts brackets, outside of strings. A text that is not JSON may be misjudged, but native parsing refuses it. */
function isDeep(text: string): boolean {
  if (text.length <= 2 * deepestNesting) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) inString = !inString;
    else if (inString) at += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepestNesting) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Whether a value survives being written as JSON: no NaN, no Infinity, no lone surrogate anywhere in it. */
export function isWritable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isWritable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWritable(item));
}

/** JSON.stringify that writes a bigint as its digits. Values without one, nearly all, pay nothing for it. */
export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return write(value);
    throw error;
  }
}

function write(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`;
  if (!isObject(value) || typeof value.toJSON === "function") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(",")}}`;
}

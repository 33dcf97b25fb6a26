import { isObject } from "./object.ts";
import { type DecodedJson, maxNesting, parsePythonJson } from "./python-json.ts";

export type { DecodedJson };

/**
 * Text that JSON.parse may read differently: integers that may be unsafe, floats that may overflow, surrogate
 * escapes, and keys such as "0", whose order it loses. A false match only costs time.
 */
const mayDiffer = /\d{16}|[eE]\+?\d{3}|\\u[dD][89a-fA-F]|"(?:\d|\\u003\d)+"[ \t\n\r]*:/;

/** Decodes JSON as Python's json module does. Uses JSON.parse where both provably agree. */
export function decodeJson(text: string): DecodedJson {
  const isPlain = text.isWellFormed() && !mayDiffer.test(text) && !isDeep(text);
  if (isPlain) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      // A syntax error, or a Python extension such as NaN: the Python parser decides.
    }
  }
  return parsePythonJson(text);
}

/** Counts brackets outside strings. The result may be wrong for text that is not JSON, but JSON.parse rejects that. */
function isDeep(text: string): boolean {
  if (text.length <= 2 * maxNesting) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) inString = !inString;
    else if (inString) at += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxNesting) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Whether JSON can represent the value: no NaN, no Infinity, no lone surrogate. */
export function isSerializable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isSerializable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isSerializable(item));
}

/** JSON.stringify that writes a bigint as digits. Values without a bigint, nearly all, cost nothing extra. */
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

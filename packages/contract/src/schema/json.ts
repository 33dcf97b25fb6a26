import { type DecodedJson, maxNesting, parseLongJson, parsePythonJson } from "./python-json.ts";
import { isObject } from "./schema.ts";
import type { ValidationError } from "./validation-error.ts";

export type { DecodedJson };

/** Decodes JSON as Python's json module does. Uses JSON.parse where both provably agree. */
export function decodeJson(text: string): DecodedJson {
  return plainJson(text, 0) ?? parsePythonJson(text);
}

/** Like `decodeJson`, and awaits `turn` between parts of the text, so that other work can run. */
export const decodeLongJson = (text: string, turn: () => Promise<void>): Promise<DecodedJson> =>
  parseLongJson(text, turn, plainJson);

function plainJson(text: string, depth: number): { value: unknown } | undefined {
  if (!text.isWellFormed() || mayDiffer(text, depth)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // A syntax error, or a Python extension such as NaN: the Python parser decides.
    return undefined;
  }
}

const quote = 0x22;
const plus = 0x2b;
const backslash = 0x5c;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** An integer with this many digits may be unsafe, and an exponent with `exponentDigits` may overflow a float. */
const integerDigits = 16;
const exponentDigits = 3;

/** Escapes of surrogates, and of digits: a key such as "0" may consist of them. */
const oddEscape = /^u(?:d[89a-f]|003\d)/i;

/**
 * Whether JSON.parse may read the text differently: unsafe integers, floats that overflow, surrogate escapes, deep
 * nesting, and keys such as "0", whose order JSON.parse loses. The result may be wrong for text that is not JSON, which
 * JSON.parse rejects. This is a loop, because a pattern with these alternatives takes longer than JSON.parse.
 */
function mayDiffer(text: string, above: number): boolean {
  let depth = above;
  let digits = 0;
  let most = integerDigits;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      if (++digits === most) return true;
      continue;
    }
    digits = 0;
    const isExponent = code === 0x65 || code === 0x45 || (code === plus && most === exponentDigits);
    most = isExponent ? exponentDigits : integerDigits;
    if (code === 0x5b || code === 0x7b) {
      if (++depth > maxNesting) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === quote) {
      const from = at + 1;
      let isNumeric = true;
      for (at = from; at < text.length; at++) {
        const next = text.charCodeAt(at);
        if (next === quote) break;
        if (isDigit(next)) continue;
        isNumeric = false;
        if (next !== backslash) continue;
        at += 1;
        if (text[at] === "u" && oddEscape.test(text.slice(at, at + 5))) return true;
      }
      if (isNumeric && at > from && /^[ \t\n\r]*:/.test(text.slice(at + 1))) return true;
    }
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

/** JSON.stringify that writes a bigint as digits. Values without a bigint (nearly all) cost nothing extra. */
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

// ignoreBOM keeps the byte order mark: decodeJsonText decides whether to drop it.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a JSON body. Detects UTF-16 and UTF-32 by byte order mark or zero bytes, as Python's json does. */
function decodeJsonText(bytes: Uint8Array): string | undefined {
  const [a = -1, b = -1, c = -1, d = -1] = bytes;
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return utf32(bytes.subarray(4), false);
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return utf32(bytes.subarray(4), true);
  if (a === 0xfe && b === 0xff) return utf16(bytes.subarray(2), false);
  if (a === 0xff && b === 0xfe) return utf16(bytes.subarray(2), true);
  if (a === 0xef && b === 0xbb && c === 0xbf) return utf8(bytes.subarray(3));
  if (bytes.length >= 4) {
    if (a === 0) return b === 0 ? utf32(bytes, false) : utf16(bytes, false);
    if (b === 0) return c === 0 && d === 0 ? utf32(bytes, true) : utf16(bytes, true);
  } else if (bytes.length === 2) {
    if (a === 0) return utf16(bytes, false);
    if (b === 0) return utf16(bytes, true);
  }
  return utf8(bytes);
}

/** UTF-8 that also allows surrogates encoded as three bytes, as Python does ("surrogatepass"). */
function utf8(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  let decoded = "";
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
    if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
    const before = decodeUtf8(bytes.subarray(from, at));
    if (before === undefined) return undefined;
    decoded += before + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = at + 3;
  }
  const rest = decodeUtf8(bytes.subarray(from));
  return rest === undefined ? undefined : decoded + rest;
}

function utf16(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(view.getUint16(at, littleEndian));
  return text;
}

function utf32(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const codePoint = view.getUint32(at, littleEndian);
    if (codePoint > 0x10ffff) return undefined;
    text += String.fromCodePoint(codePoint);
  }
  return text;
}

/** The decoded body of a request, or its errors: 422 for `errors`, 400 for `unreadable`. */
export type DecodedBody =
  | { none: true }
  | { value: unknown; unserializable?: true }
  | { errors: ValidationError[] }
  | { unreadable: string };

const unreadable = { unreadable: "There was an error parsing the body" };

export function readBody(bytes: Uint8Array, contentType: string | undefined): DecodedBody {
  const sent = textOfBody(bytes, contentType);
  return "json" in sent ? bodyOf(decodeJson(sent.json)) : sent;
}

/** Bodies from this length on are read in parts. */
export const longBody = 1024 * 1024;

/** Like `readBody`, and awaits `turn` between parts of the body, so that other work can run. */
export async function readLongBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  turn: () => Promise<void>,
): Promise<DecodedBody> {
  const sent = textOfBody(bytes, contentType);
  return "json" in sent ? bodyOf(await decodeLongJson(sent.json, turn)) : sent;
}

function textOfBody(
  bytes: Uint8Array,
  contentType: string | undefined,
): Exclude<DecodedBody, { errors: unknown }> | { json: string } {
  if (bytes.length === 0) return { none: true };
  if (!isJson(contentType)) {
    // As in FastAPI there is no 415: the schema gets a string and reports that it is not an object.
    const text = decodeUtf8(bytes);
    return text === undefined ? unreadable : { value: text };
  }
  const json = decodeJsonText(bytes);
  return json === undefined ? unreadable : { json };
}

function bodyOf(decoded: DecodedJson): DecodedBody {
  if ("unreadable" in decoded) return unreadable;
  return "error" in decoded ? { errors: [jsonInvalid(decoded.error, decoded.offset)] } : decoded;
}

/** `application/json` or `application/…+json`, with any parameters. */
function isJson(contentType = ""): boolean {
  const [mediaType = ""] = contentType.split(";", 1);
  const [main, subtype = "", ...more] = mediaType.trim().toLowerCase().split("/");
  return main === "application" && more.length === 0 && (subtype === "json" || subtype.endsWith("+json"));
}

function jsonInvalid(error: string, offset: number): ValidationError {
  return { type: "json_invalid", loc: ["body", offset], msg: "JSON decode error", input: {}, ctx: { error } };
}

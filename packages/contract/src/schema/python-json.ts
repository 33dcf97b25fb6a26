import { maxIntegerDigits } from "./integer.ts";
import { recordKeyOrder, setOwn } from "./schema.ts";

/**
 * The result of decoding. `unserializable`: the value has something that JSON cannot represent (NaN, Infinity, a
 * number beyond the range of floats, a lone surrogate). A request is rejected if that must be echoed or stored.
 */
export type DecodedJson =
  | { value: unknown; unserializable?: true }
  | { error: string; offset: number }
  | { unreadable: string };

/** Python's recursion limit is about 1,000 levels, less the calls that lead to its parser. */
export const maxNesting = 900;

/** Parses JSON as Python 3.11's json module does: its messages, its offsets, its extensions. */
export function parsePythonJson(text: string): DecodedJson {
  const parser = new PythonJsonParser(text);
  try {
    const value = parser.document();
    return parser.unserializable ? { value, unserializable: true } : { value };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { error: error.message, offset: codePoints(text, error.at) };
    if (error instanceof JsonLimitError) return { unreadable: error.message };
    throw error;
  }
}

class JsonLimitError extends Error {}
class JsonSyntaxError extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

function codePoints(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

const constants = new Map<string, unknown>([
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);
const escapes = new Map(
  Object.entries({ '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }),
);
const numeral = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
/** Characters from the space on, except the quote and the backslash. */
const plainText = /[ !#-[\]-\uffff]*/y;
const fourHexDigits = /[0-9a-fA-F]{4}/y;

class PythonJsonParser {
  readonly text: string;
  at = 0;
  depth = 0;
  unserializable = false;

  constructor(text: string) {
    this.text = text;
  }

  document(): unknown {
    this.space();
    const value = this.value();
    this.space();
    if (this.at < this.text.length) throw new JsonSyntaxError("Extra data", this.at);
    return value;
  }

  private value(): unknown {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first !== "{" && first !== "[") return this.number();
    if (++this.depth > maxNesting) throw new JsonLimitError("The JSON is nested too deeply.");
    const container = first === "{" ? this.object() : this.array();
    this.depth--;
    return container;
  }

  private object(): unknown {
    const members = new Map<string, unknown>();
    this.at++;
    this.space();
    if (this.skip("}")) return {};
    do {
      this.space();
      if (this.text[this.at] !== '"') {
        throw new JsonSyntaxError("Expecting property name enclosed in double quotes", this.at);
      }
      const key = this.string();
      this.space();
      if (!this.skip(":")) throw new JsonSyntaxError("Expecting ':' delimiter", this.at);
      this.space();
      members.set(key, this.value());
    } while (this.hasNext("}"));
    return objectOf(members);
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    this.at++;
    this.space();
    if (this.skip("]")) return items;
    do {
      this.space();
      items.push(this.value());
    } while (this.hasNext("]"));
    return items;
  }

  private hasNext(end: string): boolean {
    this.space();
    if (this.skip(end)) return false;
    if (this.skip(",")) return true;
    throw new JsonSyntaxError("Expecting ',' delimiter", this.at);
  }

  private number(): unknown {
    numeral.lastIndex = this.at;
    const match = numeral.exec(this.text);
    if (match === null) return this.constant();
    const [written, fraction, exponent] = match;
    this.at += written.length;
    const value = Number(written);
    if (fraction !== undefined || exponent !== undefined) {
      if (!Number.isFinite(value)) this.unserializable = true;
      return value;
    }
    if (Number.isSafeInteger(value)) return value;
    if (written.replace("-", "").length > maxIntegerDigits) {
      throw new JsonLimitError(`An integer has more than ${maxIntegerDigits} digits.`);
    }
    return BigInt(written);
  }

  private constant(): unknown {
    for (const [word, value] of constants) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      if (typeof value === "number") this.unserializable = true;
      return value;
    }
    throw new JsonSyntaxError("Expecting value", this.at);
  }

  private string(): string {
    const start = this.at++;
    let value = "";
    for (;;) {
      value += this.take(plainText);
      const stop = this.text[this.at];
      if (stop === '"') break;
      if (stop === "\\" && this.at + 1 < this.text.length) value += this.escape();
      else if (stop === undefined || stop === "\\")
        throw new JsonSyntaxError("Unterminated string starting at", start);
      else throw new JsonSyntaxError("Invalid control character at", this.at);
    }
    this.at++;
    if (!value.isWellFormed()) this.unserializable = true;
    return value;
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    const plain = escapes.get(letter);
    if (plain === undefined && letter !== "u") throw new JsonSyntaxError("Invalid \\escape", this.at);
    this.at += 2;
    if (plain !== undefined) return plain;
    const u = this.at - 1;
    const digits = this.take(fourHexDigits);
    // Python also requires a character after the digits.
    if (digits === "" || this.at >= this.text.length) throw new JsonSyntaxError("Invalid \\uXXXX escape", u);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  /** The match of a sticky pattern at this position, or "". */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return "";
    const from = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }
}

function objectOf(members: Map<string, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of members) setOwn(object, key, value);
  const keys = [...members.keys()];
  if (keys.some((key) => /^\d+$/.test(key))) recordKeyOrder(object, keys);
  return object;
}

import { maxIntegerDigits } from "./integer.ts";
import { recordKeyOrder, setOwn } from "./schema.ts";

/**
 * The result of decoding. `unserializable`: the value contains something that JSON cannot represent (NaN, Infinity, a
 * number beyond the range of floats, a lone surrogate). A request is rejected if that value must be echoed or stored.
 */
export type DecodedJson =
  | { value: unknown; unserializable?: true }
  | { error: string; offset: number }
  | { unreadable: string };

/** Python's recursion limit is about 1,000 levels, minus the calls that lead to its parser. */
export const maxNesting = 900;

/** Parses JSON as Python 3.11's json module does: same messages, same offsets, same extensions. */
export function parsePythonJson(text: string): DecodedJson {
  const parser = new PythonJsonParser(text);
  try {
    return parser.decoded(parser.document());
  } catch (error) {
    return parser.failed(error);
  }
}

/** The number of characters that are parsed without a pause: about 20 ms. */
const partLength = 1024 * 1024;

/**
 * Like `parsePythonJson` for a long text: it parses the text in parts and awaits `turn` between them. `plain` parses a
 * part at a nesting depth with JSON.parse; undefined: JSON.parse may read that part differently.
 */
export async function parseLongJson(
  text: string,
  turn: () => Promise<void>,
  plain: ReadPlain,
): Promise<DecodedJson> {
  const parser = new LongJsonParser(text, turn, plain);
  try {
    return parser.decoded(await parser.longDocument());
  } catch (error) {
    return parser.failed(error);
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
    this.end();
    return value;
  }

  protected end(): void {
    this.space();
    if (this.at < this.text.length) throw new JsonSyntaxError("Extra data", this.at);
  }

  decoded(value: unknown): DecodedJson {
    return this.unserializable ? { value, unserializable: true } : { value };
  }

  failed(error: unknown): DecodedJson {
    const { text } = this;
    if (error instanceof JsonSyntaxError) return { error: error.message, offset: codePoints(text, error.at) };
    if (error instanceof JsonLimitError) return { unreadable: error.message };
    throw error;
  }

  protected value(): unknown {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first !== "{" && first !== "[") return this.number();
    this.enter();
    const container = first === "{" ? this.object() : this.array();
    this.depth--;
    return container;
  }

  protected enter(): void {
    if (++this.depth > maxNesting) throw new JsonLimitError("The JSON is nested too deeply.");
  }

  private object(): unknown {
    const members = new Map<string, unknown>();
    this.at++;
    this.space();
    if (this.skip("}")) return {};
    do {
      const key = this.key();
      members.set(key, this.value());
    } while (this.hasNext("}"));
    return objectOf(members);
  }

  protected key(): string {
    this.space();
    if (this.text[this.at] !== '"') {
      throw new JsonSyntaxError("Expecting property name enclosed in double quotes", this.at);
    }
    const key = this.string();
    this.space();
    if (!this.skip(":")) throw new JsonSyntaxError("Expecting ':' delimiter", this.at);
    this.space();
    return key;
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

  protected hasNext(end: string): boolean {
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

  protected skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  protected space(): void {
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

type ReadPlain = (text: string, depth: number) => { readonly value: unknown } | undefined;

/** Parses an object or array that is longer than a part in runs of several members. */
class LongJsonParser extends PythonJsonParser {
  readonly turn: () => Promise<void>;
  readonly plain: ReadPlain;

  constructor(text: string, turn: () => Promise<void>, plain: ReadPlain) {
    super(text);
    this.turn = turn;
    this.plain = plain;
  }

  async longDocument(): Promise<unknown> {
    this.space();
    const value = await this.longValue();
    this.end();
    return value;
  }

  private longValue(): unknown {
    return this.text[this.at] === "{" || this.text[this.at] === "[" ? this.container() : this.value();
  }

  private async container(): Promise<unknown> {
    this.enter();
    const isObject = this.text[this.at] === "{";
    const close = isObject ? "}" : "]";
    const members = new Map<string, unknown>();
    const items: unknown[] = [];
    this.at++;
    this.space();
    /** A run that ends here was tried: JSON.parse may read it differently, so its members are parsed one by one. */
    let tried = 0;
    if (!this.skip(close)) {
      do {
        await this.turn();
        const end = this.at < tried ? tried : endOfRun(this.text, this.at);
        const run = end === undefined || this.at < tried ? undefined : this.run(end, isObject);
        if (run && end !== undefined) {
          this.at = end;
          if (Array.isArray(run)) for (const item of run) items.push(item);
          else for (const [key, value] of Object.entries(run)) members.set(key, value);
        } else {
          tried = end ?? 0;
          const key = isObject ? this.key() : "";
          if (!isObject) this.space();
          const value = end === undefined ? await this.longValue() : this.value();
          if (isObject) members.set(key, value);
          else items.push(value);
        }
      } while (this.hasNext(close));
    }
    this.depth--;
    return isObject ? longObjectOf(members, this.turn) : items;
  }

  /** The members up to `end` if JSON.parse reads them the same way. No members would be a syntax error. */
  private run(end: number, isObject: boolean): object | undefined {
    const part = this.text.slice(this.at, end);
    const value = this.plain(isObject ? `{${part}}` : `[${part}]`, this.depth - 1)?.value as
      | object
      | undefined;
    return value && Object.keys(value).length > 0 ? value : undefined;
  }
}

/** Where the last member that fits into a part ends; undefined: not even the first member fits. */
function endOfRun(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + partLength);
  let depth = 0;
  let end: number | undefined;
  for (let at = from; at < last; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; at < last && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      if (depth === 0) return at;
      depth--;
    } else if (character === "," && depth === 0) end = at;
  }
  return end;
}

function objectOf(members: Map<string, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of members) setOwn(object, key, value);
  return inOrderOf(members, object);
}

async function longObjectOf(members: Map<string, unknown>, turn: () => Promise<void>): Promise<object> {
  const object: Record<string, unknown> = {};
  let count = 0;
  for (const [key, value] of members) {
    setOwn(object, key, value);
    if (++count % 1_000 === 0) await turn();
  }
  return inOrderOf(members, object);
}

function inOrderOf(members: Map<string, unknown>, object: Record<string, unknown>) {
  const keys = [...members.keys()];
  if (keys.some((key) => /^\d+$/.test(key))) recordKeyOrder(object, keys);
  return object;
}

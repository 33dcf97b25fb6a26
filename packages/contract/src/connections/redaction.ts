import { secretMask } from "./secret-keys.ts";

/** Hides the secrets of a run in every text that leaves the run, including texts that other systems return. */
export interface Redaction {
  add(secret: string): void;
  text(text: string): string;
  /** Every string, number and key of a tree. */
  tree<Tree>(tree: Tree): Tree;
  /** The same error object, with its message, stack and causes redacted. */
  error<Failure>(error: Failure): Failure;
  /** Redacts the result or the error of a promise. */
  outcome<Result>(work: Promise<Result>): Promise<Result>;
  /** The byte offsets of secrets in UTF-8, ordered, without overlap. */
  ranges(bytes: Uint8Array): readonly SecretRange[];
}

export interface SecretRange {
  readonly from: number;
  readonly to: number;
}

/** Shorter values occur in any text by chance, so they are not redacted. */
export const shortestSecret = 4;

/**
 * Excerpts of this length are redacted, too: texts are truncated, wrapped and split into chunks, and other systems show
 * the beginning of a token.
 */
const excerptLength = 8;

/**
 * A secret of at most this many Latin letters, with the capitals of a word, may be an ordinary word: it is redacted
 * only where it stands alone. Otherwise the password `postgres` would hide half of `postgresql` in every message. Its
 * encoded forms are redacted anywhere.
 */
const longestWord = 15;
const isWord = (secret: string): boolean =>
  secret.length <= longestWord && /^(?:[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+|[A-ZÀ-ÖØ-Þ]+)$/.test(secret);

/**
 * A longer secret is redacted up to the first limit, and its encoded forms up to the second: a private key has 3,300
 * characters.
 */
const longestSecret = 16_384;
const longestEncoded = 4096;

export function createRedaction(secrets: Iterable<string> = []): Redaction {
  const known = new Set<string>();
  const index = createIndex();

  function text(from: string): string {
    if (known.size === 0) return from;
    const found = index.find(from);
    return found.length === 0 ? from : masked(from, found);
  }

  function tree(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value === "number" || typeof value === "bigint") {
      // A shorter number is more often a count than a secret.
      const digits = String(value);
      return digits.length < excerptLength || text(digits) === digits ? value : secretMask;
    }
    if (Array.isArray(value)) return value.map(tree);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), tree(item)]));
  }

  const redaction: Redaction = {
    add(secret) {
      if (secret.length < shortestSecret || secret === secretMask || known.has(secret)) return;
      known.add(secret);
      const isAlone = isWord(secret);
      const plain = [secret, latin1(new TextEncoder().encode(secret))].map((form) => form.toLowerCase());
      for (const form of formsOf(secret.slice(0, longestSecret).toWellFormed())) {
        if (isAlone && plain.includes(form.toLowerCase())) index.addWord(form);
        else index.add(form);
      }
    },
    text,
    tree: <Tree>(value: Tree) => (known.size === 0 ? value : (tree(value) as Tree)),
    error(error) {
      if (known.size > 0) redactError(error, text, tree);
      return error;
    },
    outcome: async (work) => {
      try {
        return redaction.tree(await work);
      } catch (error) {
        throw redaction.error(error);
      }
    },
    ranges: (bytes) => (known.size === 0 ? [] : index.find(latin1(bytes))),
  };
  for (const secret of secrets) redaction.add(secret);
  return redaction;
}

function masked(from: string, ranges: readonly SecretRange[]): string {
  let at = 0;
  const kept = ranges.map((range) => {
    const before = from.slice(at, range.from);
    at = range.to;
    return before + secretMask;
  });
  return kept.join("") + from.slice(at);
}

/** Errors of drivers repeat values in fields such as `detail` and `hint`. */
function redactError(
  error: unknown,
  text: (text: string) => string,
  tree: (value: unknown) => unknown,
  depth = 0,
): void {
  if (!(error instanceof Error) || depth > 8) return;
  for (const name of Object.getOwnPropertyNames(error)) {
    const described = Object.getOwnPropertyDescriptor(error, name);
    if (!described || !("value" in described) || !described.configurable) continue;
    const { value } = described;
    if (value instanceof Error) redactError(value, text, tree, depth + 1);
    else if (name === "errors" && Array.isArray(value)) {
      for (const one of value) redactError(one, text, tree, depth + 1);
    } else {
      const hidden = typeof value === "string" ? text(value) : isPlainObject(value) ? tree(value) : value;
      Object.defineProperty(error, name, { ...described, value: hidden });
    }
  }
  // V8 computes the stack, which contains the message, when the stack is first read.
  const { stack } = error;
  if (stack !== undefined) error.stack = text(stack);
}

/** Finds the forms of secrets in time linear in the text, whatever their number. */
function createIndex() {
  /** One bit for each hash of the first four characters of an indexed form: at most positions the search ends here. */
  const starts = new Uint8Array(65_536 / 8);
  const excerpts = new Set<string>();
  /** Forms shorter than an excerpt, by length. */
  const whole = Array.from({ length: excerptLength }, () => new Set<string>());
  /** Words, and parts of words that are as long as an excerpt. */
  const words = new Set<string>();

  function start(form: string): void {
    let hash = 0;
    for (let at = 0; at < shortestSecret; at++) hash = nextHash(hash, form.charCodeAt(at));
    starts[hash >> 3] = (starts[hash >> 3] as number) | (1 << (hash & 7));
  }

  function add(form: string): void {
    for (const folded of new Set([form.toLowerCase(), asciiLower(form)])) {
      if (folded.length < shortestSecret) continue;
      if (folded.length < excerptLength) {
        whole[folded.length]?.add(folded);
        start(folded);
      }
      for (let at = 0; at + excerptLength <= folded.length; at++) {
        const excerpt = folded.slice(at, at + excerptLength);
        if (excerpts.has(excerpt)) continue;
        excerpts.add(excerpt);
        start(excerpt);
      }
    }
  }

  function addWord(form: string): void {
    for (const folded of new Set([form.toLowerCase(), asciiLower(form)])) {
      const shortest = Math.min(excerptLength, folded.length);
      for (let from = 0; from + shortest <= folded.length; from++) {
        start(folded.slice(from));
        for (let to = from + shortest; to <= folded.length; to++) words.add(folded.slice(from, to));
      }
    }
  }

  /** The length of the word that begins at a position, or 0. */
  function wordAt(text: string, at: number): number {
    if (words.size === 0 || !beginsWord(text, at)) return 0;
    let to = at;
    // Bytes are searched as Latin-1, in which a letter may be two characters.
    while (to - at <= 2 * longestWord && isLetter(text.charCodeAt(to))) to += 1;
    return words.has(text.slice(at, to)) ? to - at : 0;
  }

  /** The length of the longest match at a position, or 0. */
  function lengthAt(text: string, at: number): number {
    const word = wordAt(text, at);
    if (word > 0) return word;
    if (excerpts.has(text.slice(at, at + excerptLength))) return excerptLength;
    for (let length = excerptLength - 1; length >= shortestSecret; length--) {
      if (whole[length]?.has(text.slice(at, at + length))) return length;
    }
    return 0;
  }

  function find(text: string): SecretRange[] {
    // A database may report a name in another case. For a few characters, lower case changes the length.
    const lower = text.toLowerCase();
    const folded = lower.length === text.length ? lower : asciiLower(text);
    const found: { from: number; to: number }[] = [];
    let hash = 0;
    for (let at = 0; at < folded.length; at++) {
      hash = nextHash(hash, folded.charCodeAt(at));
      if (((starts[hash >> 3] as number) & (1 << (hash & 7))) === 0) continue;
      const from = at - shortestSecret + 1;
      const length = from < 0 ? 0 : lengthAt(folded, from);
      if (length === 0) continue;
      const last = found.at(-1);
      if (last && last.to >= from) last.to = Math.max(last.to, from + length);
      else found.push({ from, to: from + length });
    }
    return found;
  }

  return { add, addWord, find };
}

/**
 * Every character beyond ASCII counts as a letter, because in Latin-1 it may be a part of one. NaN: the end of the
 * text.
 */
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 128;

/**
 * After an escape such as `\\n`, `%2f` or a terminal color, a word may begin although the preceding character is a
 * letter.
 */
const escapeBefore = /(?:\\[bfnrt]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|\[[0-9;]{0,8}m)$/i;

const beginsWord = (text: string, at: number): boolean =>
  at === 0 || !isLetter(text.charCodeAt(at - 1)) || escapeBefore.test(text.slice(Math.max(0, at - 12), at));

/** A hash of the last four characters: a character is shifted out after four steps. */
const nextHash = (hash: number, code: number) => ((hash << 4) ^ code ^ (code >> 8)) & 0xffff;

const asciiLower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const isPlainObject = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * The encodings in which a secret appears in text. The search ignores case, so each hexadecimal encoding is here once.
 */
function formsOf(value: string): Set<string> {
  // The scheme of an address is not secret, and many texts contain it.
  const secret = value.replace(/^[a-z][a-z0-9+.-]{1,20}:\/\//i, "");
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...encodedForms(secret.slice(0, longestEncoded)),
  ]);
}

function encodedForms(cut: string): Set<string> {
  const secret = cut.toWellFormed();
  const bytes = new TextEncoder().encode(secret);
  const percent = encodeURIComponent(secret);
  const strict = percent.replace(/[!'()*~]/g, hexEscape);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = new Set([
    secret,
    percent,
    strict,
    strict.replaceAll("%20", "+"),
    encodeURIComponent(percent),
    encodeURI(secret),
    `%${hex.join("%")}`,
    hex.join(""),
    hex.join(" "),
    hex.join(":"),
    json,
    json.replace(/[\u0080-\uffff]/g, unicodeEscape),
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    secret.replace(/['"\\]/g, "\\$&"),
    secret.replaceAll("'", "''"),
    ...htmlForms(secret),
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
  ]);
  // Bytes are searched as Latin-1, so each form is also added as the Latin-1 reading of its UTF-8.
  for (const form of [...forms]) {
    if (/[^\0-\x7f]/.test(form)) forms.add(latin1(new TextEncoder().encode(form)));
  }
  return forms;
}

const hexEscape = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function htmlForms(secret: string): string[] {
  const escaped = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return ["'", "&#39;", "&#x27;", "&apos;", "&#039;"].flatMap((quote) => {
    const form = escaped.replaceAll("'", quote);
    return [form, form.replaceAll('"', "&quot;"), form.replaceAll('"', "&#34;")];
  });
}

/**
 * The base64 characters that depend on the secret alone if `shift` bytes precede it in its group of three: this finds
 * the password in `user:password` of basic authentication for any user.
 */
function base64Forms(bytes: Uint8Array, shift: number): string[] {
  const encoded = btoa("\0".repeat(shift) + latin1(bytes));
  const core = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

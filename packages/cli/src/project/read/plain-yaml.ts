import type { SourceText } from "./source-text.ts";
import type { Entry, ScalarTree, Tree } from "./tree.ts";

/**
 * Reads the part of YAML that most files consist of: maps and lists in blocks, and scalars, lists and maps on one line.
 * Undefined for anything else, also for invalid text: the library then reads it. This reader takes a tenth of the
 * library's time, which is most of the time of a plan (decision 0069). A test compares both.
 */
export function readPlainYaml(source: SourceText): Tree | undefined {
  if (!onlyPlain.test(source.text)) return undefined;
  try {
    return new Reader(source).document();
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/** Without tabs, other line breaks than "\n", byte order marks and surrogates. */
const onlyPlain = /^[\n\x20-\x7e\u00a1-\u1fff\u2010-\ud7ff]*$/;
const notPlain = new Error("The library must read this.");
const deepest = 50;

interface Line {
  /** The offset of the first character that is not a space. */
  readonly at: number;
  readonly end: number;
  readonly indent: number;
}

const key = /([A-Za-z_][\w-]*):(?=[ \n]|$)/y;
const noText = /^(?:null|true|false)$/i;
const mayBeNumber = /^[-+.]?[\d.]|^[-+]?\.?(?:inf|nan)/i;
const number = /^-?[1-9]\d{0,14}$|^0$/;
/** A text with any other character cannot be a number. */
const onlyNumber = /^[-+.\w]*$/;
const doubleQuoted = /"([^"\\]*)"/y;
const singleQuoted = /'([^']*)'(?!')/y;
/** Words in a list or map on one line, without characters that have a meaning there. */
const word = /[\w./$][\w./$*@+-]*(?: [\w./$*@+-]+)*(?=[ ]*[,\]}])/y;
const flowKey = /([A-Za-z_][\w-]*): /y;

class Reader {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #lines: Line[] = [];
  #line = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
    this.#split();
  }

  document(): Tree {
    const first = this.#lines[0];
    if (!first || first.indent > 0) throw notPlain;
    const tree = this.#block(first, 0);
    if (tree.kind !== "map" || this.#line < this.#lines.length) throw notPlain;
    return tree;
  }

  /** Finds the lines with content, and skips empty lines and comments. */
  #split(): void {
    const text = this.#text;
    for (let start = 0; start < text.length; ) {
      const next = text.indexOf("\n", start);
      const end = next < 0 ? text.length : next;
      let at = start;
      while (at < end && text.charCodeAt(at) === 32) at += 1;
      if (at < end && text[at] !== "#") this.#lines.push({ at, end, indent: at - start });
      start = end + 1;
    }
  }

  #block(line: Line, depth: number): Tree {
    if (depth > deepest) throw notPlain;
    return this.#isItem(line) ? this.#list(line, depth) : this.#map(line.at, line, line.indent, depth);
  }

  #isItem({ at, end }: Line): boolean {
    return this.#text[at] === "-" && (at + 1 === end || this.#text[at + 1] === " ");
  }

  /** Reads a map whose first key is at `start`. After the dash of a list, this is not where the line begins. */
  #map(start: number, first: Line, indent: number, depth: number): Tree {
    const entries = new Map<string, Entry>();
    let at = start;
    for (let line: Line | undefined = first; line; ) {
      key.lastIndex = at;
      const name = key.exec(this.#text)?.[1];
      if (name === undefined || noText.test(name) || entries.has(name)) throw notPlain;
      const value = this.#value(at + name.length + 1, line, indent, depth, true);
      entries.set(name, { key: { source: this.#source, at }, value });
      line = this.#lines[this.#line];
      if (!line || line.indent < indent) break;
      if (line.indent > indent || this.#isItem(line)) throw notPlain;
      at = line.at;
    }
    return { source: this.#source, at: start, kind: "map", entries };
  }

  #list(first: Line, depth: number): Tree {
    const items: Tree[] = [];
    const { indent, at: start } = first;
    for (let line: Line | undefined = first; line; ) {
      items.push(this.#item(line, depth));
      line = this.#lines[this.#line];
      if (!line || line.indent < indent || (line.indent === indent && !this.#isItem(line))) break;
      if (line.indent > indent) throw notPlain;
    }
    return { source: this.#source, at: start, kind: "list", items };
  }

  #item(line: Line, depth: number): Tree {
    let at = line.at + 1;
    while (at < line.end && this.#text.charCodeAt(at) === 32) at += 1;
    key.lastIndex = at;
    const isMap = at > line.at + 1 && key.test(this.#text) && key.lastIndex <= line.end;
    if (isMap) {
      if (depth > deepest) throw notPlain;
      return this.#map(at, line, line.indent + at - line.at, depth + 1);
    }
    return this.#value(line.at + 1, line, line.indent, depth, false);
  }

  /** Reads the value after a key or a dash, on the same line or in the lines below. */
  #value(from: number, line: Line, indent: number, depth: number, ofMap: boolean): Tree {
    const text = this.#text;
    let at = from;
    while (at < line.end && text.charCodeAt(at) === 32) at += 1;
    this.#line += 1;
    const next = this.#lines[this.#line];
    if (at === line.end) {
      const isBelow =
        next && (next.indent > indent || (ofMap && next.indent === indent && this.#isItem(next)));
      if (!isBelow) throw notPlain;
      return this.#block(next, depth + 1);
    }
    // A scalar can continue on a line that is indented further.
    if (next && next.indent > indent) throw notPlain;
    const first = text[at];
    if (first === "[" || first === "{") return this.#flow(at, line.end);
    const [value, end] = this.#quoted(at, line.end) ?? this.#plain(at, line.end);
    this.#requireEnd(end, line.end);
    return this.#scalar(at, value);
  }

  /** Requires that only a comment follows, or nothing. */
  #requireEnd(from: number, end: number): void {
    let at = from;
    while (at < end && this.#text.charCodeAt(at) === 32) at += 1;
    if (at < end && (this.#text[at] !== "#" || at === from)) throw notPlain;
  }

  #scalar(at: number, value: ScalarTree["value"]): Tree {
    return { source: this.#source, at, kind: "scalar", value };
  }

  #quoted(at: number, end: number): [string, number] | undefined {
    const mark = this.#text[at];
    if (mark !== '"' && mark !== "'") return undefined;
    const pattern = mark === '"' ? doubleQuoted : singleQuoted;
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text);
    if (!found || pattern.lastIndex > end) throw notPlain;
    return [found[1] ?? "", pattern.lastIndex];
  }

  #plain(at: number, end: number): [ScalarTree["value"], number] {
    const comment = this.#text.indexOf(" #", at);
    const until = comment >= 0 && comment < end ? comment : end;
    const value = this.#text.slice(at, until).trimEnd();
    if (!/^[\w/.$(+^<=;\\~-]/.test(value) || /^-(?!\d)|: |:$/.test(value)) throw notPlain;
    return [resolved(value), at + value.length];
  }

  /** Reads a list or map on one line that contains no other list or map. */
  #flow(start: number, lineEnd: number): Tree {
    const text = this.#text;
    const isList = text[start] === "[";
    const close = isList ? "]" : "}";
    const items: Tree[] = [];
    const entries = new Map<string, Entry>();
    let at = start + 1;
    const skip = () => {
      while (at < lineEnd && text.charCodeAt(at) === 32) at += 1;
    };
    skip();
    while (text[at] !== close) {
      const keyAt = at;
      let name = "";
      if (!isList) {
        flowKey.lastIndex = at;
        name = flowKey.exec(text)?.[1] ?? "";
        if (name === "" || noText.test(name) || entries.has(name)) throw notPlain;
        at = flowKey.lastIndex;
        skip();
      }
      const valueAt = at;
      const [value, end] = this.#quoted(at, lineEnd) ?? this.#word(at);
      at = end;
      skip();
      const tree = this.#scalar(valueAt, value);
      if (isList) items.push(tree);
      else entries.set(name, { key: { source: this.#source, at: keyAt }, value: tree });
      if (text[at] === close) break;
      if (text[at] !== "," || text[at + 1] !== " ") throw notPlain;
      at += 1;
      skip();
      if (text[at] === close) throw notPlain;
    }
    if (at >= lineEnd) throw notPlain;
    this.#requireEnd(at + 1, lineEnd);
    const place = { source: this.#source, at: start };
    return isList ? { ...place, kind: "list", items } : { ...place, kind: "map", entries };
  }

  #word(at: number): [ScalarTree["value"], number] {
    word.lastIndex = at;
    const value = word.exec(this.#text)?.[0];
    if (value === undefined) throw notPlain;
    return [resolved(value), at + value.length];
  }
}

/** The value of a scalar without quotes. */
function resolved(text: string): ScalarTree["value"] {
  if (number.test(text)) return Number(text);
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  if (noText.test(text) || text === "~" || (mayBeNumber.test(text) && onlyNumber.test(text))) throw notPlain;
  return text;
}

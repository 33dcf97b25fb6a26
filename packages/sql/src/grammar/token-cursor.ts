import { stringValue } from "../lexer/string-literal.ts";
import type { SqlToken } from "../lexer/token.ts";

/** Thrown where a statement is not what it should be; `readWith` makes a diagnostic of it. */
export class UnexpectedToken extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Walks over the words of a statement and insists on what comes next. */
export interface TokenCursor {
  /** Whether these words come next; if so, goes past them. */
  takes(...words: readonly string[]): boolean;
  /** Insists on these words or marks. */
  expect(...words: readonly string[]): void;
  /** Whether this word or mark comes next, without going past it. */
  sees(word: string, ahead?: number): boolean;
  /** One name, bare or in backticks. */
  name(): string;
  /** A name of several parts with dots between them. */
  names(): readonly string[];
  /** The text of a string literal. */
  text(): string;
  /** The same where a string literal comes next, else nothing. */
  string(): string | undefined;
  /** A whole number. */
  number(): number;
  /** What comes between parentheses, separated by commas; at least one. */
  list<Item>(item: () => Item): readonly Item[];
  /** The words between parentheses, whatever they are. */
  inside(): readonly SqlToken[];
  /** The words up to where one of these sequences begins outside of brackets, or the end; at least one. */
  until(what: string, ...ends: readonly (readonly string[])[]): readonly SqlToken[];
  /** All words that are left, without going past them. */
  ahead(): readonly SqlToken[];
  /** Where the last word ended that was gone past. */
  past(): number;
  /** Insists on the end of the statement. */
  end(): void;
  /** Where the next word begins. */
  at(): number;
  fail(expected: string): never;
}

/** A cursor at the first of the words. `>>` counts as two marks, because types can end in it. */
export function tokenCursor(words: readonly SqlToken[], length: number): TokenCursor {
  const tokens = words.flatMap(split);
  let index = 0;
  const here = () => tokens[index];
  const at = () => here()?.start ?? length;
  const fail = (expected: string): never => {
    throw new UnexpectedToken(at(), `expected ${expected}, found ${here()?.text.slice(0, 40) ?? "the end"}.`);
  };
  const sees = (word: string, ahead = 0): boolean => {
    const token = tokens[index + ahead];
    return (
      token !== undefined &&
      token.kind !== "quoted" &&
      token.kind !== "string" &&
      token.value === word.toLowerCase()
    );
  };
  const takes = (...words: readonly string[]): boolean => {
    const all = words.every((word, ahead) => sees(word, ahead));
    if (all) index += words.length;
    return all;
  };
  const expect = (...words: readonly string[]) => {
    for (const word of words) if (!takes(word)) fail(word);
  };
  const name = (): string => {
    const token = here();
    if (token?.kind !== "word" && token?.kind !== "quoted") return fail("a name");
    if (token.value === "") return fail("a name that is not empty");
    index += 1;
    return token.kind === "quoted" ? token.value : token.text;
  };
  const until = (what: string, ...ends: readonly (readonly string[])[]): readonly SqlToken[] => {
    const from = index;
    let depth = 0;
    for (let token = here(); token; token = here()) {
      if (depth === 0 && ends.some((words) => words.every((word, ahead) => sees(word, ahead)))) break;
      if (token.kind === "mark" && (token.text === "(" || token.text === "[")) depth += 1;
      if (token.kind === "mark" && (token.text === ")" || token.text === "]")) depth -= 1;
      if (depth < 0) break;
      index += 1;
    }
    return index > from ? tokens.slice(from, index) : fail(what);
  };
  const text = (): string => {
    const token = here();
    if (token?.kind !== "string") return fail("a string");
    const value = stringValue(token.text);
    if (value === undefined) return fail("a string that every release of Spark reads alike");
    index += 1;
    return value;
  };
  return {
    at,
    fail,
    sees,
    takes,
    expect,
    name,
    names() {
      const parts = [name()];
      while (takes(".")) parts.push(name());
      return parts;
    },
    text,
    string: () => (here()?.kind === "string" ? text() : undefined),
    number() {
      const token = here();
      if (token?.kind !== "number" || !/^\d{1,15}$/.test(token.text)) return fail("a whole number");
      index += 1;
      return Number(token.text);
    },
    list(item) {
      expect("(");
      const items = [item()];
      while (takes(",")) items.push(item());
      expect(")");
      return items;
    },
    until,
    inside() {
      expect("(");
      const words = until("something between the parentheses");
      expect(")");
      return words;
    },
    ahead: () => tokens.slice(index),
    past: () => tokens[index - 1]?.end ?? 0,
    end() {
      if (here()) fail("the end");
    },
  };
}

const split = (token: SqlToken): readonly SqlToken[] =>
  token.kind === "mark" && /^>>+$/.test(token.text)
    ? [...token.text].map((text, index) => ({
        ...token,
        text,
        value: text,
        start: token.start + index,
        end: token.start + index + 1,
      }))
    : [token];

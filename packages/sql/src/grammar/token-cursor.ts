import { stringValue } from "../lexer/string-literal.ts";
import type { SqlToken } from "../lexer/token.ts";

/** Thrown at a token that the grammar does not expect; `runGrammar` turns it into a diagnostic. */
export class UnexpectedToken extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads the tokens of a statement in order. */
export interface TokenCursor {
  /** Consumes these words if they come next. Returns whether it has. */
  takes(...words: readonly string[]): boolean;
  /** Consumes these words or marks, or fails. */
  expect(...words: readonly string[]): void;
  /** Whether this word or mark comes next. Consumes nothing. */
  sees(word: string, ahead?: number): boolean;
  /** One name, bare or in backticks. */
  name(): string;
  /** The parts of a dotted name. */
  names(): readonly string[];
  /** The value of a string literal. */
  text(): string;
  /** Like `text` if a string literal comes next; otherwise undefined. */
  string(): string | undefined;
  /** A whole number. */
  number(): number;
  /** One or more items in parentheses, separated by commas. `none`: the error message if there is none. */
  list<Item>(item: () => Item, none?: string): readonly Item[];
  /** The tokens between parentheses. */
  inside(): readonly SqlToken[];
  /** One or more tokens, up to the end or to one of these sequences outside of brackets. `what` is expected there. */
  until(what: string, ...ends: readonly (readonly string[])[]): readonly SqlToken[];
  /** All remaining tokens. Consumes nothing. */
  ahead(): readonly SqlToken[];
  /** The end offset of the last consumed token. */
  past(): number;
  /** Fails unless all tokens are consumed. */
  end(): void;
  /** The offset of the next token. */
  at(): number;
  fail(expected: string): never;
}

/** A cursor at the first token. `>>` counts as two tokens, because types can end in it. */
export function tokenCursor(words: readonly SqlToken[], length: number): TokenCursor {
  const tokens = words.flatMap(split);
  let index = 0;
  const here = () => tokens[index];
  const at = () => here()?.start ?? length;
  const fail = (expected: string): never => {
    throw new UnexpectedToken(
      at(),
      `expected ${expected}, found ${here()?.text.slice(0, 40) ?? "the end of the statement"}.`,
    );
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
    if (value === undefined) return fail("a string that every Spark release reads in the same way");
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
    list(item, none = "expected at least one item between ( and ).") {
      expect("(");
      if (sees(")")) throw new UnexpectedToken(at(), none);
      const items = [item()];
      while (takes(",")) items.push(item());
      expect(")");
      return items;
    },
    until,
    inside() {
      expect("(");
      const words = until("an expression in the parentheses");
      expect(")");
      return words;
    },
    ahead: () => tokens.slice(index),
    past: () => tokens[index - 1]?.end ?? 0,
    end() {
      if (here()) fail("the end of the statement");
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

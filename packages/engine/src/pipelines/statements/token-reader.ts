import { type SqlToken, tokenize } from "@lakehelm/sql";
import { DataProblem } from "../../protocol/problem.ts";

/** Reads the tokens of a part of a statement, from its start. */
export class TokenReader {
  readonly #sql: string;
  readonly #tokens: readonly SqlToken[];
  #index = 0;

  constructor(
    sql: string,
    tokens: readonly SqlToken[] = tokenize(sql).tokens.filter(({ text }) => text !== ";"),
  ) {
    this.#sql = sql;
    this.#tokens = tokens;
  }

  peek(word: string): boolean {
    const token = this.#tokens[this.#index];
    return token !== undefined && isWord(token, word);
  }

  accept(word: string): boolean {
    const found = this.peek(word);
    if (found) this.#index += 1;
    return found;
  }

  expect(word: string): void {
    if (this.accept(word)) return;
    const found = this.#tokens[this.#index]?.text ?? "the end";
    throw new DataProblem(`Expected ${word.toUpperCase()}, found ${found}. Simplify the statement.`);
  }

  /** Skips a name of one or more parts. */
  name(): void {
    this.#index += 1;
    while (this.accept(".")) this.#index += 1;
  }

  /** An alias before this word, if there is one. */
  alias(before: string): string | null {
    this.accept("as");
    const token = this.#tokens[this.#index];
    if (!token || this.peek(before)) return null;
    this.#index += 1;
    return token.value;
  }

  /** The tokens before this word, outside brackets and CASE. */
  until(word: string): TokenReader {
    const from = this.#index;
    let depth = 0;
    for (; this.#index < this.#tokens.length; this.#index += 1) {
      const token = this.#tokens[this.#index] as SqlToken;
      if (depth === 0 && isWord(token, word)) break;
      depth += deeper(token);
    }
    return new TokenReader(this.#sql, this.#tokens.slice(from, this.#index));
  }

  rest(): TokenReader {
    return new TokenReader(this.#sql, this.#tokens.slice(this.#index));
  }

  /** The parts between commas. */
  list(): TokenReader[] {
    const parts: TokenReader[] = [];
    do parts.push(this.until(","));
    while (this.accept(","));
    return parts;
  }

  /** The list in the next parentheses. */
  bracket(): TokenReader[] {
    this.expect("(");
    const from = this.#index;
    for (let depth = 1; depth > 0 && this.#index < this.#tokens.length; this.#index += 1) {
      depth += deeper(this.#tokens[this.#index] as SqlToken);
    }
    return new TokenReader(this.#sql, this.#tokens.slice(from, this.#index - 1)).list();
  }

  /** The text as written, including comments. */
  text(): string {
    const [first, last] = [this.#tokens[this.#index], this.#tokens.at(-1)];
    return first && last ? this.#sql.slice(first.start, last.end) : "";
  }

  ends(word: string): boolean {
    const last = this.#tokens.at(-1);
    return last !== undefined && isWord(last, word);
  }

  lastName(): string {
    return this.#tokens.at(-1)?.value ?? "";
  }
}

const isWord = ({ kind, value }: SqlToken, word: string): boolean =>
  (kind === "word" || kind === "mark") && value === word;

function deeper({ kind, value }: SqlToken): number {
  if (kind === "mark") return "([".includes(value) ? 1 : ")]".includes(value) ? -1 : 0;
  return kind === "word" ? (value === "case" ? 1 : value === "end" ? -1 : 0) : 0;
}

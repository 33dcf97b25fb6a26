import { type SqlToken, tokenize } from "@lakehelm/sql";
import { DataProblem } from "../../protocol/problem.ts";

/** A stretch of a statement, read from its beginning on. */
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

  sees(word: string): boolean {
    const token = this.#tokens[this.#index];
    return token !== undefined && isWord(token, word);
  }

  takes(word: string): boolean {
    const found = this.sees(word);
    if (found) this.#index += 1;
    return found;
  }

  expect(word: string): void {
    if (this.takes(word)) return;
    const found = this.#tokens[this.#index]?.text ?? "the end";
    throw new DataProblem(
      `Expected ${word.toUpperCase()}, found ${found}: write the statement in a plainer way.`,
    );
  }

  /** A name of one part or more. */
  name(): void {
    this.#index += 1;
    while (this.takes(".")) this.#index += 1;
  }

  /** An alias, if one comes before this word. */
  alias(before: string): string | null {
    this.takes("as");
    const token = this.#tokens[this.#index];
    if (!token || this.sees(before)) return null;
    this.#index += 1;
    return token.value;
  }

  /** What comes before this word, outside of brackets and CASE. */
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

  /** What stands between commas. */
  list(): TokenReader[] {
    const parts: TokenReader[] = [];
    do parts.push(this.until(","));
    while (this.takes(","));
    return parts;
  }

  /** The list in the bracket that comes next. */
  bracket(): TokenReader[] {
    this.expect("(");
    const from = this.#index;
    for (let depth = 1; depth > 0 && this.#index < this.#tokens.length; this.#index += 1) {
      depth += deeper(this.#tokens[this.#index] as SqlToken);
    }
    return new TokenReader(this.#sql, this.#tokens.slice(from, this.#index - 1)).list();
  }

  /** As it was written, comments included. */
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

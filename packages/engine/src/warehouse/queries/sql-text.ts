import { locatorOf } from "@lakehelm/sql";
import { DataProblem } from "../../protocol/problem.ts";

/**
 * Splits both dialects well enough to find names. A string, name or comment that is never closed extends to the end: if
 * it did not match, each opening quote would cause another scan of the rest.
 */
const wordPattern =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*(?:'|\\?$))|(?<quoted>"[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:``[^`]*)*(?:`|$))|(?<word>[\p{L}\p{N}_$]+)|(?<symbol>\S)/gu;

interface SqlWord {
  readonly start: number;
  /** A name without its quotes, in lower case. */
  readonly text: string;
  readonly isString: boolean;
}

export function sqlWords(sql: string): SqlWord[] {
  const found: SqlWord[] = [];
  for (const { index: start, groups = {} } of sql.matchAll(wordPattern)) {
    const { string, quoted = string, word, symbol } = groups;
    const quote = quoted?.[0] ?? "";
    const name = quoted?.slice(1, -1).replaceAll(quote + quote, quote) ?? word ?? symbol;
    if (name !== undefined) found.push({ start, text: name.toLowerCase(), isString: string !== undefined });
  }
  return found;
}

/** The offset at which a name first occurs. `["sales", "orders"]` finds `` sales.`orders` ``. */
export function findName(sql: string, name: readonly string[], isCalled = false): number | undefined {
  const expected = name.flatMap((part, index) => (index === 0 ? [part] : [".", part]));
  const words = sqlWords(sql);
  const matches = [...words.keys()].filter(
    (start) =>
      expected.every((part, index) => words[start + index]?.text === part.toLowerCase()) &&
      (!isCalled || words[start + expected.length]?.text === "("),
  );
  // A file name in FROM is a string in DuckDB. Otherwise a string that equals a name is a coincidence.
  return words[matches.find((start) => !words[start]?.isString) ?? matches[0] ?? -1]?.start;
}

/** The first word of a statement, such as `DELETE`; empty if there is none. */
export const firstWord = (sql: string): string =>
  sqlWords(sql)
    .find(({ text }) => text !== "(" && text !== ";")
    ?.text.toUpperCase() ?? "";

/** `Line 1, column 15: there is no table "ordrs".`, or without the position if it is unknown. */
export function problemAt(sql: string, at: number | undefined, message: string): DataProblem {
  if (at === undefined) return new DataProblem(message[0]?.toUpperCase() + message.slice(1));
  const position = locatorOf(sql)(at);
  return new DataProblem(`Line ${position.line}, column ${position.column}: ${message}`, { position });
}

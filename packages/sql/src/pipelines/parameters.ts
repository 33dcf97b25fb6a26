import { suggestion } from "@lakehelm/contract/text";
import type { SqlToken } from "../lexer/token.ts";
import { queryWords } from "../vocabulary/keywords.ts";
import type { SqlParameter } from "./statements/statement.ts";

/** Each `:name` of a text that stands where a value begins; after a value, the colon leads into it. */
export function parametersIn(tokens: readonly SqlToken[]): readonly SqlParameter[] {
  return tokens.flatMap((colon, index) => {
    const name = tokens[index + 1];
    if (colon.text !== ":" || name?.kind !== "word" || name.start !== colon.end) return [];
    return isValue(tokens[index - 1]) ? [] : [{ name: name.text, from: colon.start, to: name.end }];
  });
}

function isValue(token: SqlToken | undefined): boolean {
  if (!token) return false;
  if (token.kind === "word") return !queryWords.has(token.value);
  if (token.kind === "mark") return token.text === ")" || token.text === "]";
  return token.kind !== "hint";
}

/** A text with a number as long as each parameter in its place, so that all else stays where it is. */
export function withNumbers(text: string, parameters: readonly SqlParameter[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of parameters) {
    parts.push(text.slice(done, from), "0".repeat(to - from));
    done = to;
  }
  return [...parts, text.slice(done)].join("");
}

/** The stretch of a text that begins at an offset, with its parameters back in their places. */
export function withParameters(
  stretch: string,
  at: number,
  text: string,
  parameters: readonly SqlParameter[],
): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of parameters) {
    if (from < at || to > at + stretch.length) continue;
    parts.push(stretch.slice(done, from - at), text.slice(from, to));
    done = to - at;
  }
  return [...parts, stretch.slice(done)].join("");
}

/** Tells parameters that have no value. */
export function checkParameters(
  parameters: readonly SqlParameter[],
  given: readonly string[],
  report: (at: number, message: string) => void,
): void {
  for (const { name, from } of parameters)
    if (!given.includes(name)) report(from, `the parameter :${name} has no value.${suggestion(name, given)}`);
}

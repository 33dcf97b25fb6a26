import { suggestion } from "@lakehelm/contract/text";
import type { SqlToken } from "../lexer/token.ts";
import { queryWords } from "../vocabulary/keywords.ts";
import type { SqlParameter } from "./statements/statement.ts";

/** Each `:name` at the start of a value. After a value, a colon is a path into it. */
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

/** Replaces each parameter with a number of the same length, so that all other tokens keep their offsets. */
export function withNumbers(text: string, parameters: readonly SqlParameter[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of parameters) {
    parts.push(text.slice(done, from), "0".repeat(to - from));
    done = to;
  }
  return [...parts, text.slice(done)].join("");
}

/** Puts the parameters back into a fragment of a text that starts at an offset. */
export function withParameters(
  fragment: string,
  at: number,
  text: string,
  parameters: readonly SqlParameter[],
): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of parameters) {
    if (from < at || to > at + fragment.length) continue;
    parts.push(fragment.slice(done, from - at), text.slice(from, to));
    done = to - at;
  }
  return [...parts, fragment.slice(done)].join("");
}

/** Reports parameters without a value. */
export function checkParameters(
  parameters: readonly SqlParameter[],
  given: readonly string[],
  report: (at: number, message: string) => void,
): void {
  for (const { name, from } of parameters)
    if (!given.includes(name)) report(from, `the parameter :${name} has no value.${suggestion(name, given)}`);
}

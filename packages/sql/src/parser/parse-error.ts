import { suggestion } from "@lakehelm/contract/text";
import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import { clauseWords, queryWords } from "../vocabulary/keywords.ts";

const signs: Readonly<Record<string, string>> = {
  RParen: ")",
  LParen: "(",
  RBracket: "]",
  LBracket: "[",
  Comma: ",",
  Eq: "=",
  Gt: ">",
  Lt: "<",
  Colon: ":",
  Dot: ".",
};

/** The parser's error as a sentence with an offset. */
export function parseErrorDiagnostic(
  failure: { readonly error: string; readonly from: number; readonly to: number },
  tokens: readonly SqlToken[],
  toOffset: (characters: number) => number,
): Diagnostic {
  const at = toOffset(failure.from);
  const index = tokens.findIndex(({ start, end }) => start <= at && at < end);
  const token = tokens[index];
  const start = token?.start ?? tokens[0]?.start ?? 0;
  if (failure.error.includes("E_GUARD"))
    return { at: start, message: "this is nested too deeply: split it up with WITH." };
  const [, name] = /Expected (\w+), got/.exec(failure.error) ?? [];
  const expected =
    name === undefined ? undefined : (signs[name] ?? (/^[A-Z]/.test(name) ? name.toUpperCase() : name));
  // At the end of the text, the parser points to the last token, which may be valid.
  const atEnd =
    index === tokens.length - 1 &&
    (failure.error.includes("end of input") || /got \w+$|Unexpected token: \w+$/.test(failure.error));
  const where = atEnd
    ? `the text ends too early after ${token?.text ?? "its beginning"}`
    : `unexpected ${token?.text ?? "text"}`;
  const close = atEnd ? "" : meant(tokens, index);
  const message = expected === undefined ? `${where}.` : `${where}: expected ${expected}.`;
  return { at: start, message: `${message}${close}` };
}

const isName = ({ kind, value }: SqlToken) => kind === "word" && !queryWords.has(value);

/**
 * The keyword that was probably intended: similar to the unexpected word, or to the word before it. The parser reads `t
 * GRUOP` as a table with an alias, and fails only at `BY`.
 */
function meant(tokens: readonly SqlToken[], index: number): string {
  const [ahead, before, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  const own = token && isName(token) ? suggestion(token.value, clauseWords) : "";
  if (own !== "" || !before || !ahead || !isName(before)) return own;
  // After FROM, a comma or a dot, the word is a name: "orders" is not a misspelled ORDER.
  const isAlias = isName(ahead) || (ahead.kind !== "word" && !/^[.,(]$/.test(ahead.text));
  return isAlias || ahead.value === "case" ? suggestion(before.value, clauseWords) : "";
}

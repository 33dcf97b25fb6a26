import type { Diagnostic, SqlToken } from "../lexer/token.ts";
import { type TokenCursor, tokenCursor, UnexpectedToken } from "./token-cursor.ts";

/** Runs a grammar over all tokens. Returns its result, or a diagnostic at the first unexpected token. */
export function runGrammar<Meaning>(
  grammar: (cursor: TokenCursor) => Meaning,
  tokens: readonly SqlToken[],
  length: number,
):
  | { readonly meaning: Meaning; readonly diagnostic?: never }
  | { readonly meaning?: never; readonly diagnostic: Diagnostic } {
  const cursor = tokenCursor(tokens, length);
  try {
    const meaning = grammar(cursor);
    cursor.end();
    return { meaning };
  } catch (error) {
    if (error instanceof UnexpectedToken) return { diagnostic: { at: error.at, message: error.message } };
    throw error;
  }
}

/** The tokens without semicolons at the end. */
export function withoutSemicolon(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const last = tokens.findLastIndex(({ text }) => text !== ";");
  return tokens.slice(0, last + 1);
}

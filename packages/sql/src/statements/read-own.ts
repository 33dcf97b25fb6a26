import type { Remark, Token } from "../token.ts";
import { type Cursor, cursorOver, Unexpected } from "./cursor.ts";

/** Lets a grammar read all words of a text: what it found, or where the text is something else. */
export function readWith<Meaning>(
  grammar: (cursor: Cursor) => Meaning,
  tokens: readonly Token[],
  length: number,
):
  | { readonly meaning: Meaning; readonly remark?: never }
  | { readonly meaning?: never; readonly remark: Remark } {
  const cursor = cursorOver(tokens, length);
  try {
    const meaning = grammar(cursor);
    cursor.end();
    return { meaning };
  } catch (error) {
    if (error instanceof Unexpected) return { remark: { at: error.at, message: error.message } };
    throw error;
  }
}

/** The words without the semicolons at the end. */
export function withoutSemicolon(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ text }) => text !== ";");
  return tokens.slice(0, last + 1);
}

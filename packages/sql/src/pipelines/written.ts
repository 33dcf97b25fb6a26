import { shown } from "@lakehelm/contract/text";
import { placesOf } from "../source-location.ts";
import type { SourcePlace, TextPiece } from "./plan.ts";
import type { Part } from "./split.ts";

/** A text as it is read: parts of a file, with values in the place of each `${key}`. */
export interface Written {
  readonly text: string;
  readonly pieces: readonly TextPiece[];
}

/** More than any statement needs; values may be long, and stand in many places. */
const mostCharacters = 2_000_000;
const references = /\$\{([^{}\n]*)\}/g;

/** Puts values into a part of a file. An unknown key is told, and stands for itself, as any key does in a comment. */
export function written(
  part: Part,
  placeAt: (offset: number) => SourcePlace,
  configuration: ReadonlyMap<string, string>,
  complain: (place: SourcePlace, message: string) => void,
): Written {
  const pieces: TextPiece[] = [];
  let text = "";
  let done = 0;
  // The next comment that does not end before the reference.
  let comment = 0;
  const add = (more: string, at: number, isCopy: boolean): void => {
    if (more === "") return;
    pieces.push({ ...placeAt(part.at + at), from: text.length, isCopy });
    text += more;
  };
  for (const { 0: reference, 1: inside = "", index } of part.text.matchAll(references)) {
    const key = inside.trim();
    while ((part.comments[comment]?.to ?? index + 1) <= index) comment += 1;
    const isComment = (part.comments[comment]?.from ?? index + 1) <= index;
    const value = isComment ? undefined : configuration.get(key);
    if (value === undefined && !isComment) {
      complain(
        placeAt(part.at + index),
        `the configuration has no ${shown(key)}: ${reference.slice(0, 80)} stands for nothing.`,
      );
    }
    add(part.text.slice(done, index), done, true);
    add(value ?? (key.replace(/\W/g, "_") || "_"), index, false);
    done = index + reference.length;
    if (text.length > mostCharacters) {
      complain(
        placeAt(part.at + index),
        `with its values, this statement is longer than ${mostCharacters} characters.`,
      );
      return { text: "", pieces: [] };
    }
  }
  add(part.text.slice(done), done, true);
  return { text, pieces };
}

/** A stretch of a text. */
export function cut({ text, pieces }: Written, from: number, to: number): Written {
  const first = Math.max(
    0,
    pieces.findLastIndex((piece) => piece.from <= from),
  );
  const [head, ...others] = pieces.slice(first).filter((piece) => piece.from < to || piece.from === from);
  if (!head) return { text: "", pieces: [] };
  return {
    text: text.slice(from, to),
    pieces: [
      { ...placeIn(text, pieces, from), from: 0, isCopy: head.isCopy },
      ...others.map((piece) => ({ ...piece, from: piece.from - from })),
    ],
  };
}

/** Whether something other than a name was put in at an offset: it may be a secret, which no sentence repeats. */
export function isPutIn({ text, pieces }: Written, offset: number): boolean {
  const index = pieces.findLastIndex(({ from }) => from <= offset);
  const piece = pieces[index];
  return piece?.isCopy === false && !/^[\w.`]*$/.test(text.slice(piece.from, pieces[index + 1]?.from));
}

/** Where an offset of a text stands in the file that the text is from. */
export function placeIn(text: string, pieces: readonly TextPiece[], offset: number): SourcePlace {
  const piece = pieces.findLast(({ from }) => from <= offset) ?? pieces[0];
  if (!piece) return { path: "", line: 1, column: 1 };
  const { path, line, column, from, isCopy } = piece;
  if (!isCopy || offset <= from) return { path, line, column };
  const copied = text.slice(from, offset);
  const moved = placesOf(copied)(copied.length);
  return {
    path,
    line: line + moved.line - 1,
    column: moved.line === 1 ? column + moved.column - 1 : moved.column,
  };
}

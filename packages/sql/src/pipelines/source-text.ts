import { shown } from "@lakehelm/contract/text";
import { locatorOf } from "../source-location.ts";
import type { FileLocation, SourceSegment } from "./plan.ts";
import type { StatementText } from "./semicolons.ts";

/** A text as it is read: parts of a file, with values in the place of each `${key}`. */
export interface SourceText {
  readonly text: string;
  readonly segments: readonly SourceSegment[];
}

/** More than any statement needs; values may be long, and stand in many places. */
const maxCharacters = 2_000_000;
const references = /\$\{([^{}\n]*)\}/g;

/** Puts values into a part of a file. An unknown key is told, and stands for itself, as any key does in a comment. */
export function substituteValues(
  part: StatementText,
  locate: (offset: number) => FileLocation,
  configuration: ReadonlyMap<string, string>,
  report: (place: FileLocation, message: string) => void,
): SourceText {
  const segments: SourceSegment[] = [];
  let text = "";
  let done = 0;
  // The next comment that does not end before the reference.
  let comment = 0;
  const add = (more: string, at: number, isCopy: boolean): void => {
    if (more === "") return;
    segments.push({ ...locate(part.at + at), from: text.length, isCopy });
    text += more;
  };
  for (const { 0: reference, 1: inside = "", index } of part.text.matchAll(references)) {
    const key = inside.trim();
    while ((part.comments[comment]?.to ?? index + 1) <= index) comment += 1;
    const isComment = (part.comments[comment]?.from ?? index + 1) <= index;
    const value = isComment ? undefined : configuration.get(key);
    if (value === undefined && !isComment) {
      report(
        locate(part.at + index),
        `the configuration has no ${shown(key)}: ${reference.slice(0, 80)} stands for nothing.`,
      );
    }
    add(part.text.slice(done, index), done, true);
    add(value ?? (key.replace(/\W/g, "_") || "_"), index, false);
    done = index + reference.length;
    if (text.length > maxCharacters) {
      report(
        locate(part.at + index),
        `with its values, this statement is longer than ${maxCharacters} characters.`,
      );
      return { text: "", segments: [] };
    }
  }
  add(part.text.slice(done), done, true);
  return { text, segments };
}

/** A stretch of a text. */
export function sliceText({ text, segments }: SourceText, from: number, to: number): SourceText {
  const first = Math.max(
    0,
    segments.findLastIndex((piece) => piece.from <= from),
  );
  const [head, ...others] = segments.slice(first).filter((piece) => piece.from < to || piece.from === from);
  if (!head) return { text: "", segments: [] };
  return {
    text: text.slice(from, to),
    segments: [
      { ...locateInFile(text, segments, from), from: 0, isCopy: head.isCopy },
      ...others.map((piece) => ({ ...piece, from: piece.from - from })),
    ],
  };
}

/** Whether something other than a name was put in at an offset: it may be a secret, which no sentence repeats. */
export function isSubstituted({ text, segments }: SourceText, offset: number): boolean {
  const index = segments.findLastIndex(({ from }) => from <= offset);
  const piece = segments[index];
  return piece?.isCopy === false && !/^[\w.`]*$/.test(text.slice(piece.from, segments[index + 1]?.from));
}

/** Where an offset of a text stands in the file that the text is from. */
export function locateInFile(text: string, segments: readonly SourceSegment[], offset: number): FileLocation {
  const piece = segments.findLast(({ from }) => from <= offset) ?? segments[0];
  if (!piece) return { path: "", line: 1, column: 1 };
  const { path, line, column, from, isCopy } = piece;
  if (!isCopy || offset <= from) return { path, line, column };
  const copied = text.slice(from, offset);
  const moved = locatorOf(copied)(copied.length);
  return {
    path,
    line: line + moved.line - 1,
    column: moved.line === 1 ? column + moved.column - 1 : moved.column,
  };
}

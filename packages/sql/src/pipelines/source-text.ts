import { shown } from "@lakehelm/contract/text";
import { locatorOf } from "../source-location.ts";
import type { FileLocation, SourceSegment } from "./plan.ts";
import type { StatementText } from "./semicolons.ts";

/** A text with substituted values, and its segments in the file. */
export interface SourceText {
  readonly text: string;
  readonly segments: readonly SourceSegment[];
}

/** More than any statement needs. A limit, because a value can be long and used many times. */
const maxCharacters = 2_000_000;
const references = /\$\{([^{}\n]*)\}/g;

/**
 * Substitutes `${key}` in a statement, and reports unknown keys. Unknown keys and keys in comments are replaced by
 * plain words.
 */
export function substituteValues(
  part: StatementText,
  locate: (offset: number) => FileLocation,
  configuration: ReadonlyMap<string, string>,
  report: (location: FileLocation, message: string) => void,
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
        `${reference.slice(0, 80)} has no value: the configuration has no key ${shown(key)}.`,
      );
    }
    add(part.text.slice(done, index), done, true);
    add(value ?? (key.replace(/\W/g, "_") || "_"), index, false);
    done = index + reference.length;
    if (text.length > maxCharacters) {
      report(
        locate(part.at + index),
        `this statement is longer than ${maxCharacters} characters after substitution.`,
      );
      return { text: "", segments: [] };
    }
  }
  add(part.text.slice(done), done, true);
  return { text, segments };
}

/** A part of a text, with its segments. */
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

/**
 * Whether the text at an offset is a substituted value other than a name. The value may be a secret, so no message
 * quotes it.
 */
export function isSubstituted({ text, segments }: SourceText, offset: number): boolean {
  const index = segments.findLastIndex(({ from }) => from <= offset);
  const piece = segments[index];
  return piece?.isCopy === false && !/^[\w.`]*$/.test(text.slice(piece.from, segments[index + 1]?.from));
}

/** The location of an offset in the file that the text comes from. */
export function locateInFile(text: string, segments: readonly SourceSegment[], offset: number): FileLocation {
  const piece = segments.findLast(({ from }) => from <= offset) ?? segments[0];
  if (!piece) return { path: "", line: 1, column: 1 };
  const { path, line, column, from, isCopy } = piece;
  if (!isCopy || offset <= from) return { path, line, column };
  const copied = text.slice(from, offset);
  const relative = locatorOf(copied)(copied.length);
  return {
    path,
    line: line + relative.line - 1,
    column: relative.line === 1 ? column + relative.column - 1 : relative.column,
  };
}

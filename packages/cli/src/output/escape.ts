/**
 * Control characters, bidirectional marks, lone surrogates and line separators: a terminal would obey them, or a reader
 * would not see them.
 */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;
const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const codeOf = (character: string) => character.codePointAt(0) ?? 0;
const escaped = (character: string) => named[character] ?? `\\u{${codeOf(character).toString(16)}}`;

/** Escapes a text, so that it stays on one line and cannot move the cursor, change colors or hide parts of itself. */
export const oneLine = (text: string): string => text.replace(hidden, escaped);

/** Like `oneLine`, but line breaks and tabs stay. */
export const lines = (text: string): string =>
  text.replace(hidden, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );

/** Escapes a message of several lines, and indents all lines but the first. */
export const indented = (text: string, indent: string): string =>
  text.split(/\r?\n/).map(oneLine).join(`\n${indent}`);

/** In JSON and in quoted YAML these characters occur only in strings, where `\uXXXX` means the same. */
export const escapeInStrings = (json: string): string =>
  json.replace(hidden, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join(""),
  );

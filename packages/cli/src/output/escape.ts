/** Controls, bidirectional marks, lone surrogates, line separators: what a terminal would obey or a reader would not see. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;
const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const codeOf = (character: string) => character.codePointAt(0) ?? 0;
const escaped = (character: string) => named[character] ?? `\\u{${codeOf(character).toString(16)}}`;

/** One line of text that cannot move the cursor, change colors or hide what it says. */
export const oneLine = (text: string): string => text.replace(hidden, escaped);

/** The same for text of several lines: line breaks and tabs stay. */
export const lines = (text: string): string =>
  text.replace(hidden, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );

/** A message that may have several lines, with an indent before all but the first. */
export const indented = (text: string, indent: string): string =>
  text.split(/\r?\n/).map(oneLine).join(`\n${indent}`);

/** In JSON and in quoted YAML such characters can only be inside of strings, where `\uXXXX` means the same. */
export const escapeInStrings = (json: string): string =>
  json.replace(hidden, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
          .join(""),
  );

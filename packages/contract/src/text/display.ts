/** Invisible characters: controls, bidirectional marks, lone surrogates, line and paragraph separators. */
export const hidden = /[\p{C}\p{Zl}\p{Zp}]/u;

/** A name quoted for a message: shortened, with invisible characters escaped. */
export function shown(name: string): string {
  const text = [...name].length > 80 ? `${[...name].slice(0, 80).join("")}…` : name;
  return JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Cuts a longer text to this length, with "…" at the end. */
export const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;

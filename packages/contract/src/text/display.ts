/** Controls, marks that reorder text, halves of characters, line and paragraph separators. */
export const hidden = /[\p{C}\p{Zl}\p{Zp}]/u;

/** A name in a sentence: short, and with nothing hidden in it. */
export function shown(name: string): string {
  const text = [...name].length > 80 ? `${[...name].slice(0, 80).join("")}…` : name;
  return JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

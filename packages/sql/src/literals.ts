import { reservedWords } from "./reserved-words.ts";

/**
 * A string literal that Spark and Databricks read back as exactly this text. `$` is written as an escape
 * because Spark substitutes `${…}` even inside literals, and the second brace of `{{` because SQL editors do; whatever an editor would not show, or would show as a
 * new line, is written as an escape too, so that a literal stays on its line and hides nothing.
 */
export function sqlString(text: string): string {
  const escaped = text.replace(
    /[\\'$\p{C}\p{Zl}\p{Zp}]|(?<=\{)\{/gu,
    (character) => escapes[character] ?? unicodeEscape(character),
  );
  return `'${escaped}'`;
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** `\u0024`, or `\U0001F600` above the first plane. */
export function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

/** An identifier as a careful person writes it: in backticks only where they are needed. */
export const quoteIdentifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && !reservedWords.has(name.toUpperCase())
    ? name
    : `\`${name.replaceAll("`", "``")}\``;

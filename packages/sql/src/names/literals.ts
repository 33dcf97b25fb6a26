import { reservedWords } from "./reserved-words.ts";

/**
 * A string literal that Spark and Databricks read back as exactly this text. It escapes `$`, because Spark substitutes
 * `${…}` even in literals, and the second brace of `{{`, because SQL editors substitute `{{…}}`. Line breaks and
 * invisible characters are escaped too, so that a literal stays on its line and hides nothing.
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

/** An identifier in SQL, in backticks only if it needs them. */
export const quoteIdentifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && !reservedWords.has(name.toUpperCase())
    ? name
    : `\`${name.replaceAll("`", "``")}\``;

import type { Diagnostic } from "./token.ts";

/** Characters that an editor does not show or shows in another order, and unpaired surrogates. */
const hidden = /[^\P{Cc}\t\n\r]|[\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Characters that are not allowed anywhere, not even in strings and comments. Reports five at most. */
export function hiddenCharacters(text: string): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const found of text.matchAll(hidden)) {
    diagnostics.push({
      at: found.index,
      message: `the character ${codeOf(found[0])} is invisible: remove it, or write it as an escape in a string.`,
    });
    if (diagnostics.length === 5) break;
  }
  // Spark substitutes ${…} before it parses a statement, in strings and comments too.
  for (let at = text.indexOf("${"); at >= 0 && diagnostics.length < 10; at = text.indexOf("${", at + 2)) {
    diagnostics.push({ at, message: "Spark would substitute ${…}: in a string, write \\u0024{ instead." });
  }
  return diagnostics;
}

/** Why a character is not allowed outside of strings, backticks and comments. */
export function characterProblem(character: string): string {
  if ("?$@{}#".includes(character))
    return `unexpected ${character}: parameters, variables and templates are not supported, write the value itself.`;
  if (/\p{L}/u.test(character)) return `put names with letters such as ${character} in backticks.`;
  if (/[\p{Z}\p{C}]/u.test(character))
    return `the character ${codeOf(character)} looks like a space or is invisible: type a plain space.`;
  return `unexpected character ${character} (${codeOf(character)}).`;
}

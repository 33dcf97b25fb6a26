import { secretMask } from "@lakehelm/contract/connections";
import { textsIn } from "./string-values.ts";
import { finding, pathText, type ValidationFinding } from "./validation-finding.ts";

/** Matches `https://user:password@host` anywhere in a text. Bounded, so that a long text is scanned once. */
const withPassword = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:'"`]*:)([^\s/?#@'"`]+)@/gi;

/** A placeholder that the run fills is not a literal password. */
const isFilled = (password: string) => /^\{\{[^{}]+\}\}$/.test(password);

/** Masks the passwords in URLs. */
export const withoutPassword = (text: string): string =>
  text.replace(withPassword, (whole, before: string, password: string) =>
    isFilled(password) ? whole : `${before}${secretMask}@`,
  );

/** Reports passwords in URLs. */
export function addressFindings(tree: unknown): ValidationFinding[] {
  return [...textsIn(tree)].flatMap(([text, place]) => {
    const passwords = [...text.matchAll(withPassword)].map(([, , password = ""]) => password);
    if (passwords.every(isFilled)) return [];
    const sentence =
      "The address has a password in it. A secret must be a reference: {{secrets/<scope>/<key>}}.";
    return [finding([pathText(place), sentence].filter(Boolean).join(": "), ...place)];
  });
}

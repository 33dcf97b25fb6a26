import { secretMask } from "@lakehelm/contract/connections";
import { stringsIn } from "./string-values.ts";
import { finding, pathText, type ValidationFinding } from "./validation-finding.ts";

/** Matches `https://user:password@host` anywhere in a text. Bounded, so that a long text is scanned once. */
const urlPassword = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:'"`]*:)([^\s/?#@'"`]+)@/gi;

/** A placeholder that the run fills is not a literal password. */
const isPlaceholder = (password: string) => /^\{\{[^{}]+\}\}$/.test(password);

/** Masks the passwords in URLs. */
export const maskPasswords = (text: string): string =>
  text.replace(urlPassword, (whole, before: string, password: string) =>
    isPlaceholder(password) ? whole : `${before}${secretMask}@`,
  );

/** Reports passwords in URLs. */
export function addressFindings(tree: unknown): ValidationFinding[] {
  return [...stringsIn(tree)].flatMap(([text, path]) => {
    const passwords = [...text.matchAll(urlPassword)].map(([, , password = ""]) => password);
    if (passwords.every(isPlaceholder)) return [];
    const sentence = "The URL contains a password. A secret must be a reference: {{secrets/<scope>/<key>}}.";
    return [finding([pathText(path), sentence].filter(Boolean).join(": "), ...path)];
  });
}

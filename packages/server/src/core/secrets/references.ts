import type { CredentialPath } from "@lakehelm/contract/connections";

/** `{{secrets/<scope>/<key>}}`, anywhere in a string. */
const pattern = /\{\{secrets\/([A-Za-z0-9_.-]{1,128})\/([A-Za-z0-9_.-]{1,128})\}\}/g;

const whole = new RegExp(`^${pattern.source}$`);

/** Whether a text is one reference and nothing else. */
export const isReference = (text: string): boolean => whole.test(text);

/** Whether a text contains a reference, or something that looks like a misspelt one. */
export const mentionsSecret = (text: string): boolean => text.includes("{{secrets/");

export interface SecretReference {
  readonly scope: string;
  readonly key: string;
}

/** The distinct secrets that a tree of values refers to. */
export function referencesIn(tree: unknown): SecretReference[] {
  const found = new Map<string, SecretReference>();
  withTexts(tree, (text) =>
    text.replace(pattern, (whole, scope: string, key: string) => {
      found.set(whole, { scope, key });
      return whole;
    }),
  );
  return [...found.values()];
}

/** The tree with each reference replaced. Replaced values are not scanned for references again. */
export function withValues(tree: unknown, resolve: (reference: SecretReference) => string): unknown {
  return withTexts(tree, (text) =>
    text.replace(pattern, (_, scope: string, key: string) => resolve({ scope, key })),
  );
}

/** Whether the value at a path is a credential, so that it may be a reference. `text` is the value. */
export type CredentialFields = (path: CredentialPath, text: string) => boolean;

/** Where references are that may not be there: outside credential fields, or in keys. */
export function misplacedReferences(tree: unknown, isCredential: CredentialFields): CredentialPath[] {
  const found: CredentialPath[] = [];
  const visit = (value: unknown, path: CredentialPath): void => {
    if (typeof value === "string") {
      if (mentionsSecret(value) && !isCredential(path, value)) found.push(path);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) visit(item, [...path, at]);
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        if (mentionsSecret(key)) found.push(path);
        visit(item, [...path, key]);
      }
    }
  };
  visit(tree, []);
  return found;
}

/** `tasks[0].kind` */
export const pathText = (path: CredentialPath): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** The tree with every string mapped; keys are unchanged. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, change)]));
}

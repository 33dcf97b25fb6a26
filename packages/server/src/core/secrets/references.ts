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
  eachMention(tree, (text) => {
    for (const [whole, scope = "", key = ""] of text.matchAll(pattern)) found.set(whole, { scope, key });
  });
  return [...found.values()];
}

/** Every reference in a tree with its place. */
export function placedReferences(
  tree: unknown,
): { readonly reference: SecretReference; readonly path: CredentialPath; readonly text: string }[] {
  const found: ReturnType<typeof placedReferences> = [];
  eachMention(tree, (text, path) => {
    for (const reference of referencesIn(text)) found.push({ reference, path: [...path], text });
  });
  return found;
}

/**
 * Calls `found` with each text of a tree that has a reference or looks like one, and with the path to it: one mutable
 * list, because such texts are few and values many. Calls `inKey` with the path to a map that has such a text in a key.
 */
function eachMention(
  tree: unknown,
  found: (text: string, path: CredentialPath) => void,
  inKey?: (path: CredentialPath) => void,
): void {
  const path: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (mentionsSecret(value)) found(value, path);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) below(at, item);
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        if (inKey && mentionsSecret(key)) inKey(path);
        below(key, item);
      }
    }
  };
  const below = (step: string | number, item: unknown) => {
    path.push(step);
    visit(item);
    path.pop();
  };
  visit(tree);
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
  eachMention(
    tree,
    (text, path) => {
      if (!isCredential(path, text)) found.push([...path]);
    },
    (path) => found.push([...path]),
  );
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

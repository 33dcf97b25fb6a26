/** `{{secrets/<scope>/<key>}}`, anywhere in a string. */
const pattern = /\{\{secrets\/([A-Za-z0-9_.-]{1,128})\/([A-Za-z0-9_.-]{1,128})\}\}/g;

const whole = new RegExp(`^${pattern.source}$`);

/** Whether a text is one reference and nothing else. */
export const isReference = (text: string): boolean => whole.test(text);

/** Whether a text contains a reference, or something that looks like a misspelt one. */
export const mentionsSecret = (text: string): boolean => text.includes("{{secrets/");

interface SecretReference {
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

/** The tree with every string mapped; keys are unchanged. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, change)]));
}

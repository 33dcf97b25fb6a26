import { secretMask } from "@lakehelm/contract/connections";
import { withTexts } from "./references.ts";

/** Redacts secrets in use from texts, including texts that other systems return. */
export interface Redaction {
  /** Adds a secret. */
  add(secret: string): void;
  text(text: string): string;
  tree<Tree>(tree: Tree): Tree;
}

/** Shorter values occur in any text by chance. */
const shortest = 4;

export function createRedaction(secrets: Iterable<string>): Redaction {
  const known = new Set<string>();
  const text = (from: string) =>
    [...known].reduce((hidden, secret) => hidden.replaceAll(secret, secretMask), from);
  const redaction: Redaction = {
    add(secret) {
      if (secret.length < shortest) return;
      // A database may report a name in another case.
      for (const form of [secret, secret.toLowerCase(), secret.toUpperCase()]) known.add(form);
    },
    text,
    // Strings stay strings, so the shape stays.
    tree: <Tree>(tree: Tree) => (known.size === 0 ? tree : (withTexts(tree, text) as Tree)),
  };
  for (const secret of secrets) redaction.add(secret);
  return redaction;
}

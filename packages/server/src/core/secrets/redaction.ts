import { mask } from "./mask.ts";
import { withTexts } from "./references.ts";

/** Keeps secrets that are in use out of what is written about it, also where somebody else sends them back. */
export interface Redaction {
  /** One more, from now on. */
  add(secret: string): void;
  text(text: string): string;
  tree<Tree>(tree: Tree): Tree;
}

/** Shorter ones would be found in any text. */
const shortest = 4;

export function createRedaction(secrets: Iterable<string>): Redaction {
  const known = new Set<string>();
  const text = (from: string) => [...known].reduce((hidden, secret) => hidden.replaceAll(secret, mask), from);
  const hiding: Redaction = {
    add(secret) {
      if (secret.length < shortest) return;
      // A database may tell a name in letters of its own.
      for (const form of [secret, secret.toLowerCase(), secret.toUpperCase()]) known.add(form);
    },
    text,
    // Texts are exchanged for texts: the shape stays.
    tree: <Tree>(tree: Tree) => (known.size === 0 ? tree : (withTexts(tree, text) as Tree)),
  };
  for (const secret of secrets) hiding.add(secret);
  return hiding;
}

/** A text, such as the name of a release, with hashes of commits and definitions as Git shortens them. */
export const withShortCommits = (text: string): string =>
  text.replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g, (hash) => hash.slice(0, 10));

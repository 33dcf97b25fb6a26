/** Shortens hashes of commits and definitions in a text, such as the name of a release, as Git does. */
export const withShortCommits = (text: string): string =>
  text.replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g, (hash) => hash.slice(0, 10));

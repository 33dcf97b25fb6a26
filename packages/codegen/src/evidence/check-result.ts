/** The result of a check of one artifact: a detail if it passed, or all its problems. */
export type CheckResult = { readonly detail: string } | { readonly problems: readonly string[] };

/** Passed unless there are problems. `detail` is called only if the check passed. */
export const checkResult = (problems: readonly string[], detail: () => string): CheckResult =>
  problems.length > 0 ? { problems } : { detail: detail() };

/** `line 3, column 5`: both count from 1, and columns count characters, as in an editor. */
export function describeLocation(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return `line ${line}, column ${[...before.slice(lineStart)].length + 1}`;
}

/** `1 statement`, `2 statements` */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

import { describeLocation } from "./check-result.ts";

/**
 * Finds what git, editors and file systems would change silently or cannot store: other line breaks, a missing one at
 * the end, NUL, lone surrogates. A byte order mark would become part of the first line.
 */
export function plainTextProblems(content: string): string[] {
  const problems: string[] = [];
  const at = content.search(/[\r\0]/);
  if (at >= 0) problems.push(`${describeLocation(content, at)}: There is a carriage return or a NUL.`);
  if (!content.isWellFormed()) problems.push("There is a lone surrogate, which UTF-8 cannot encode.");
  if (content.startsWith("\uFEFF")) problems.push("line 1, column 1: There is a byte order mark.");
  if (!content.endsWith("\n")) problems.push("The last line has no line end.");
  return problems;
}

import { describeLocation } from "./check-result.ts";

/**
 * What git, editors and file systems would change without being asked, or cannot keep: other line ends, a missing
 * one at the end, NUL, halves of characters. A byte order mark would make the first line another one.
 */
export function plainTextProblems(content: string): string[] {
  const problems: string[] = [];
  const at = content.search(/[\r\0]/);
  if (at >= 0) problems.push(`${describeLocation(content, at)}: There is a carriage return or a NUL.`);
  if (!content.isWellFormed()) problems.push("There is half a character, which UTF-8 cannot say.");
  if (content.startsWith("\uFEFF")) problems.push("line 1, column 1: There is a byte order mark.");
  if (!content.endsWith("\n")) problems.push("The last line does not end.");
  return problems;
}

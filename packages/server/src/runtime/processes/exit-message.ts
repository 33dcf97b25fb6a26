import type { ProcessLine } from "@lakehelm/contract";

export const mostLines = 20;
const mostCharacters = 500;
const mostBytes = 8 * 1024;

/**
 * The last lines of a log for a message in documents, events and responses: always short, whatever the process wrote.
 */
export function lastWords(lines: readonly Pick<ProcessLine, "line">[]): string {
  const kept: string[] = [];
  let size = 0;
  for (const { line } of lines.slice(-mostLines).reverse()) {
    const words = line.length > mostCharacters ? `${line.slice(0, mostCharacters).toWellFormed()}…` : line;
    size += Buffer.byteLength(words) + 1;
    if (size > mostBytes) break;
    kept.unshift(words);
  }
  return kept.length === 0 ? "" : ` Its last lines:\n${kept.join("\n")}`;
}

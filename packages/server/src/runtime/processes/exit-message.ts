import type { ProcessLine } from "@lakehelm/contract";

export const maxLines = 20;
const maxCharacters = 500;
const maxBytes = 8 * 1024;

/**
 * The last lines of a log for a message in documents, events and responses: always short, whatever the process wrote.
 */
export function lastLines(lines: readonly Pick<ProcessLine, "line">[]): string {
  const kept: string[] = [];
  let size = 0;
  for (const { line } of lines.slice(-maxLines).reverse()) {
    const text = line.length > maxCharacters ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line;
    size += Buffer.byteLength(text) + 1;
    if (size > maxBytes) break;
    kept.unshift(text);
  }
  return kept.length === 0 ? "" : ` Its last lines:\n${kept.join("\n")}`;
}

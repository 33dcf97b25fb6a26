import { hidden } from "@lakehelm/contract/text";
import { describeLocation } from "../check-result.ts";
import { cellsOf, magicProblem, notebookHeader } from "./cells.ts";
import { indentationProblem } from "./indentation.ts";
import { nameProblems } from "./names.ts";
import { syntaxProblem } from "./syntax-rules.ts";
import { errorNode, type PythonNode, parsePython } from "./syntax-tree.ts";

export interface NotebookCheck {
  /** Each with line and column. */
  readonly problems: readonly string[];
  readonly parts: readonly PythonNode[];
  readonly cells: number;
}

/** Reads a notebook cell by cell and says everything that Python, or Databricks, would stumble over. */
export function checkNotebook(content: string): NotebookCheck {
  const found: { at: number; message: string }[] = [];
  const parts: PythonNode[] = [];
  if (!content.startsWith(notebookHeader)) {
    found.push({ at: 0, message: `The first line is not "${notebookHeader.trim()}".` });
  }
  const cells = cellsOf(content);
  for (const cell of cells) {
    const magic = magicProblem(cell);
    if (magic) found.push(magic);
    if (/^[^#\n]*\\\s*$/.test(lastLine(cell.code))) {
      found.push({
        at: cell.at + cell.code.trimEnd().length,
        message: "The last line of a cell does not end.",
      });
    }
    for (const part of parsePython(cell.code, cell.at)) parts.push(part);
  }
  for (const part of parts) {
    const message = syntaxProblem(part, content) ?? indentationProblem(part, content);
    if (message !== undefined) found.push({ at: part.from, message });
  }
  found.push(...strangeCharacters(content, parts));
  // What names mean can only be said of what could be read.
  if (!parts.some(({ name }) => name === errorNode)) found.push(...nameProblems(parts, content));
  const problems = found
    .sort((a, b) => a.at - b.at)
    .slice(0, maxProblems)
    .map(({ at, message }) => `${describeLocation(content, at)}: ${message}`);
  return { problems, parts, cells: cells.length };
}

/** One mistake can make hundreds of others. */
const maxProblems = 20;

const lastLine = (code: string) => code.trimEnd().split("\n").at(-1) ?? "";

/** Code is ASCII, so that it is what it looks like; comments may be in any language, but hide nothing. */
function strangeCharacters(content: string, parts: readonly PythonNode[]) {
  const found: { at: number; message: string }[] = [];
  const comments = parts.filter(({ name }) => name === "Comment");
  let next = 0;
  for (const { index, 0: character } of content.matchAll(/[^\n\x20-\x7e]/gu)) {
    // Both are in the order of the text.
    while ((comments[next]?.to ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    const comment = comments[next];
    if (hidden.test(character))
      found.push({ at: index, message: "There is a character that cannot be seen." });
    else if (!comment || index < comment.from) {
      found.push({
        at: index,
        message: "There is a character outside of ASCII, and it is not in a comment.",
      });
    }
  }
  return found;
}

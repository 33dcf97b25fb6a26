import { hidden } from "@lakehelm/contract/text";
import { describeLocation } from "../check-result.ts";
import { cellsOf, magicProblem, notebookHeader } from "./cells.ts";
import { indentationProblem } from "./indentation.ts";
import { nameProblems } from "./names.ts";
import { streamProblems } from "./stream-functions.ts";
import { syntaxProblem } from "./syntax-rules.ts";
import { errorNode, type PythonNode, parsePython } from "./syntax-tree.ts";

export interface NotebookCheck {
  /** Each problem has a line and a column. */
  readonly problems: readonly string[];
  readonly nodes: readonly PythonNode[];
  readonly cells: number;
}

/** Checks a notebook cell by cell, and finds what Python or Databricks would refuse. */
export function checkNotebook(content: string): NotebookCheck {
  const found: { at: number; message: string }[] = [];
  const nodes: PythonNode[] = [];
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
        message: "The last line of a cell ends with a backslash.",
      });
    }
    for (const node of parsePython(cell.code, cell.at)) nodes.push(node);
  }
  for (const node of nodes) {
    const message = syntaxProblem(node, content) ?? indentationProblem(node, content);
    if (message !== undefined) found.push({ at: node.from, message });
  }
  found.push(...characterProblems(content, nodes));
  // Names can be checked only if the parser could read all code.
  if (!nodes.some(({ name }) => name === errorNode)) {
    found.push(...nameProblems(nodes, content), ...streamProblems(nodes, content));
  }
  const problems = found
    .sort((a, b) => a.at - b.at)
    .slice(0, maxProblems)
    .map(({ at, message }) => `${describeLocation(content, at)}: ${message}`);
  return { problems, nodes, cells: cells.length };
}

/** One mistake can cause hundreds of problems. */
const maxProblems = 20;

const lastLine = (code: string) => code.trimEnd().split("\n").at(-1) ?? "";

/**
 * Code must be ASCII, so that no character looks like another one. Comments may be in any language, without invisible
 * characters.
 */
function characterProblems(content: string, nodes: readonly PythonNode[]) {
  const found: { at: number; message: string }[] = [];
  const comments = nodes.filter(({ name }) => name === "Comment");
  let next = 0;
  for (const { index, 0: character } of content.matchAll(/[^\n\x20-\x7e]/gu)) {
    // The characters and the comments are both in text order.
    while ((comments[next]?.to ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    const comment = comments[next];
    if (hidden.test(character)) found.push({ at: index, message: "There is an invisible character." });
    else if (!comment || index < comment.from) {
      found.push({
        at: index,
        message: "Characters outside of ASCII are allowed only in comments.",
      });
    }
  }
  return found;
}

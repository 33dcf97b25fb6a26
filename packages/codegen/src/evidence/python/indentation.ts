import type { PythonNode } from "./syntax-tree.ts";

const clauses = new Set([
  "elif",
  "else",
  "except",
  "finally",
  "Decorator",
  "ClassDefinition",
  "FunctionDefinition",
]);

/**
 * The parser follows indentation leniently: it takes an indented line after an unindented one, and lines that go
 * back to a depth nobody has opened. Python does not.
 */
export function indentationProblem(part: PythonNode, source: string): string | undefined {
  const { parent: above } = part;
  if (!above || part.name === "Comment") return undefined;
  const blanks = blanksBefore(part, source);
  if (blanks === undefined) return undefined;
  if (above.name === "Script")
    return blanks === "" ? undefined : "The line is indented, but nothing was opened.";
  if (above.name === "Body" || above.name === "MatchBody") {
    if (part.name === ":") return undefined;
    if (blanks.includes("\t")) return "The line is indented with a tab.";
    const first = above.children.find(({ name }) => name !== ":" && name !== "Comment");
    const wanted = first && blanksBefore(first, source);
    return blanks === wanted ? undefined : "The line is not indented as the lines before it are.";
  }
  if (!clauses.has(part.name) || !blocks.has(above.name)) return undefined;
  return blanks === (blanksBefore(above, source) ?? "")
    ? undefined
    : `It is not indented as what it belongs to.`;
}

const blocks = new Set([
  "IfStatement",
  "ForStatement",
  "WhileStatement",
  "TryStatement",
  "DecoratedStatement",
]);

/** What stands before a part on its line, if that is nothing but blanks. */
function blanksBefore({ from }: PythonNode, source: string): string | undefined {
  let start = from;
  while (start > 0 && (source[start - 1] === " " || source[start - 1] === "\t")) start -= 1;
  return start === 0 || source[start - 1] === "\n" ? source.slice(start, from) : undefined;
}

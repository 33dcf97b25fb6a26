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
 * The parser accepts wrong indentation that Python rejects: an indented line after an unindented one, and lines that
 * return to a depth that was never opened.
 */
export function indentationProblem(node: PythonNode, source: string): string | undefined {
  const { parent } = node;
  if (!parent || node.name === "Comment") return undefined;
  const blanks = blanksBefore(node, source);
  if (blanks === undefined) return undefined;
  if (parent.name === "Script") return blanks === "" ? undefined : "Unexpected indentation.";
  if (parent.name === "Body" || parent.name === "MatchBody") {
    if (node.name === ":") return undefined;
    if (blanks.includes("\t")) return "The line is indented with a tab.";
    const first = parent.children.find(({ name }) => name !== ":" && name !== "Comment");
    const expected = first && blanksBefore(first, source);
    return blanks === expected ? undefined : "The indentation differs from that of the lines before.";
  }
  if (!clauses.has(node.name) || !blocks.has(parent.name)) return undefined;
  return blanks === (blanksBefore(parent, source) ?? "")
    ? undefined
    : "The indentation differs from that of its statement.";
}

const blocks = new Set([
  "IfStatement",
  "ForStatement",
  "WhileStatement",
  "TryStatement",
  "DecoratedStatement",
]);

/** The blanks before a node; undefined if other text precedes it on its line. */
function blanksBefore({ from }: PythonNode, source: string): string | undefined {
  let start = from;
  while (start > 0 && (source[start - 1] === " " || source[start - 1] === "\t")) start -= 1;
  return start === 0 || source[start - 1] === "\n" ? source.slice(start, from) : undefined;
}

import { macros } from "./spark-functions.ts";
import { isNode, nodesIn, type SyntaxNode } from "./syntax-tree.ts";

/** DuckDB binds these in about a second. */
const most = 50_000;
/** What a part may become by itself: long texts may become longer. A cast and a division have about 60 words each. */
const mostForOne = 60;

/**
 * Whether a tree is too large when DuckDB has written out its macros. An argument that a macro names twice is there twice,
 * with the macros in it: 1 / (1 / (1 / …)) has 2^n parts, and binding them cannot be interrupted.
 */
export function expandsTooMuch(tree: unknown): boolean {
  const { plain, written } = sizes(tree);
  return written > most + mostForOne * plain;
}

interface TreeSize {
  plain: number;
  written: number;
}

function sizes(value: unknown): TreeSize {
  const sum: TreeSize = { plain: 0, written: 0 };
  if (!Array.isArray(value) && !isNode(value)) return sum;
  const macro = isNode(value) ? macroOf(value) : undefined;
  if ("class" in value) {
    sum.plain = 1;
    sum.written = macro?.words ?? 1;
  }
  const add = (item: unknown, times: number): void => {
    const { plain, written } = sizes(item);
    sum.plain += plain;
    sum.written += written * times;
  };
  for (const [key, item] of Object.entries(value)) {
    if (macro && key === "children") {
      for (const [at, child] of nodesIn(item).entries()) add(child, macro.namings[at] ?? 1);
    } else add(item, 1);
  }
  return sum;
}

const macroOf = ({ class: kind, function_name: name, children }: SyntaxNode) =>
  kind === "FUNCTION" ? macros.get(`${String(name).toLowerCase()}/${nodesIn(children).length}`) : undefined;

import { macros } from "./spark-functions.ts";
import { type DuckDBNode, isNode, nodesIn } from "./syntax-tree.ts";

/** DuckDB binds this many nodes in about a second. */
const maxNodes = 50_000;
/** Allowed expansion per node, so that long statements may become longer. A cast and a division have about 60 words each. */
const maxPerNode = 60;

/**
 * Whether a tree is too large after DuckDB expands its macros. An argument that a macro uses twice is duplicated, with the
 * macros inside it: 1 / (1 / (1 / …)) has 2^n nodes, and binding them cannot be interrupted.
 */
export function expandsTooMuch(tree: unknown): boolean {
  const { plain, expanded } = sizes(tree);
  return expanded > maxNodes + maxPerNode * plain;
}

interface TreeSize {
  plain: number;
  expanded: number;
}

function sizes(value: unknown): TreeSize {
  const sum: TreeSize = { plain: 0, expanded: 0 };
  if (!Array.isArray(value) && !isNode(value)) return sum;
  const macro = isNode(value) ? macroOf(value) : undefined;
  if ("class" in value) {
    sum.plain = 1;
    sum.expanded = macro?.words ?? 1;
  }
  const add = (item: unknown, times: number): void => {
    const { plain, expanded } = sizes(item);
    sum.plain += plain;
    sum.expanded += expanded * times;
  };
  for (const [key, item] of Object.entries(value)) {
    if (macro && key === "children") {
      for (const [at, child] of nodesIn(item).entries()) add(child, macro.uses[at] ?? 1);
    } else add(item, 1);
  }
  return sum;
}

const macroOf = ({ class: kind, function_name: name, children }: DuckDBNode) =>
  kind === "FUNCTION" ? macros.get(`${String(name).toLowerCase()}/${nodesIn(children).length}`) : undefined;

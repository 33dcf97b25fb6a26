import { nameBindings, nameReads } from "./names.ts";
import type { PythonNode } from "./syntax-tree.ts";

/**
 * Names that a notebook imports, defines or sets but never reads. They are harmless, so no artifact is refused for
 * them. Tests use this, because an unused name is often a misspelled one.
 */
export function unusedNames(nodes: readonly PythonNode[], source: string): string[] {
  const textOf = ({ from, to }: PythonNode) => source.slice(from, to);
  const read = new Set(nameReads(nodes, source).map(textOf));
  const bound = nodes.filter(({ name }) => binders.has(name)).flatMap(nameBindings);
  const own = bound.filter(({ scope }) => scope?.name !== "ClassDefinition").map(({ name }) => textOf(name));
  return [...new Set(own)].filter((name) => !read.has(name) && !name.startsWith("_"));
}

/** Other bindings (parameters, loops, unpacking) may stay unused. */
const binders = new Set([
  "ImportStatement",
  "AssignStatement",
  "FunctionDefinition",
  "ClassDefinition",
  "TryStatement",
]);

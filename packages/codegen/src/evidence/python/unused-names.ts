import { nameBindings, nameReads } from "./names.ts";
import type { PythonNode } from "./syntax-tree.ts";

/**
 * Names that a notebook imports, defines or sets and never reads. They do no harm, so no artifact is refused for
 * them; but a careful colleague leaves none behind, and one may be another name misspelled.
 */
export function unusedNames(parts: readonly PythonNode[], source: string): string[] {
  const textOf = ({ from, to }: PythonNode) => source.slice(from, to);
  const read = new Set(nameReads(parts, source).map(textOf));
  const bound = parts.filter(({ name }) => binders.has(name)).flatMap(nameBindings);
  const own = bound.filter(({ scope }) => scope?.name !== "ClassDefinition").map(({ name }) => textOf(name));
  return [...new Set(own)].filter((name) => !read.has(name) && !name.startsWith("_"));
}

/** Parameters are given by others, and a loop or an unpacking may name what it does not need. */
const binders = new Set([
  "ImportStatement",
  "AssignStatement",
  "FunctionDefinition",
  "ClassDefinition",
  "TryStatement",
]);

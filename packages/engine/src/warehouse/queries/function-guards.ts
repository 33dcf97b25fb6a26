import { guardedCount, guardedText, maxCount } from "./guard-macros.ts";
import { type DuckDBNode, functionCall, isNode, nodesIn, rewrite } from "./syntax-tree.ts";

const counted: ReadonlyMap<string, number> = new Map([
  ["repeat", 1],
  ["lpad", 1],
  ["rpad", 1],
]);
const compared: ReadonlySet<string> = new Set([
  "levenshtein",
  "spark_levenshtein",
  "editdist3",
  "damerau_levenshtein",
  "jaro_similarity",
  "jaro_winkler_similarity",
]);

/** Whether `guardFunctions` would change the statement. */
export function needsGuards(statement: DuckDBNode): boolean {
  let isNeeded = false;
  rewrite(statement, (node) => {
    isNeeded ||= guardedCall(node) !== node;
    return node;
  });
  return isNeeded;
}

/** Limits arguments of functions that would run for hours without reacting to an interrupt. */
export function guardFunctions(statement: DuckDBNode): void {
  rewrite(statement, guardedCall);
}

function guardedCall(node: DuckDBNode): DuckDBNode {
  if (node.class !== "FUNCTION") return node;
  const name = String(node.function_name).toLowerCase();
  const children = nodesIn(node.children);
  const at = counted.get(name);
  const count = at === undefined ? undefined : children[at];
  if (count && !isSmall(count)) {
    const guarded = functionCall(guardedCount, [count]);
    return { ...node, children: children.map((child) => (child === count ? guarded : child)) };
  }
  if (!compared.has(name)) return node;
  return {
    ...node,
    children: children.map((child) => (isConstant(child) ? child : functionCall(guardedText, [child]))),
  };
}

const isConstant = (node: DuckDBNode): boolean => node.class === "CONSTANT";

/** A number that is written in the statement, and that is not too large. */
function isSmall(node: DuckDBNode): boolean {
  const value = isConstant(node) && isNode(node.value) ? node.value.value : undefined;
  return typeof value === "number" && value <= maxCount;
}

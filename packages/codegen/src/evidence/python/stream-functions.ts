import { nameReads } from "./names.ts";
import { enclosing, type PythonNode } from "./syntax-tree.ts";

/** Names that exist only in the notebook's process. */
const unavailable = new Set(["spark", "dbutils"]);
const definitions = new Set(["FunctionDefinition"]);

/**
 * On serverless compute a stream calls the function of `foreachBatch` in another process, which gets a copy of
 * everything that the function uses. A session cannot be copied, so neither this function nor a function that it calls
 * may use `spark` or `dbutils`.
 */
export function streamProblems(
  nodes: readonly PythonNode[],
  source: string,
): { readonly at: number; readonly message: string }[] {
  const calls = nodes.filter((node) => isForeachBatch(node, source));
  if (calls.length === 0) return [];
  const textOf = ({ from, to }: PythonNode) => source.slice(from, to);
  const reads = nameReads(nodes, source);
  const functions = nodes.filter(({ name }) => name === "FunctionDefinition");
  const byName = Map.groupBy(functions, (node) => textOf(node.children[1] ?? node));
  const readsOf = Map.groupBy(reads, (node) => enclosing(node, definitions));
  const innerOf = Map.groupBy(functions, (node) => enclosing(node, definitions));

  const reached = new Set<PythonNode>();
  const pending = reads.filter((node) => calls.some(({ from, to }) => node.from >= from && node.to <= to));
  const found: PythonNode[] = [];
  for (let read = pending.pop(); read; read = pending.pop()) {
    if (unavailable.has(textOf(read))) found.push(read);
    const next = [...(byName.get(textOf(read)) ?? [])];
    for (let one = next.pop(); one; one = next.pop()) {
      if (reached.has(one)) continue;
      reached.add(one);
      pending.push(...(readsOf.get(one) ?? []));
      next.push(...(innerOf.get(one) ?? []));
    }
  }
  return found.map((node) => ({
    at: node.from,
    message: `The function of foreachBatch uses ${textOf(node)}, which its process may not have: use the session of the rows.`,
  }));
}

/** The arguments of a call of `foreachBatch`. */
const isForeachBatch = ({ name, parent }: PythonNode, source: string): boolean => {
  const called = parent?.children[0];
  return (
    name === "ArgList" &&
    parent?.name === "CallExpression" &&
    called !== undefined &&
    source.slice(called.from, called.to).endsWith(".foreachBatch")
  );
};

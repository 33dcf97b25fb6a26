import type { DatasetNode, PipelineNode, PlainNode } from "./nodes.ts";

/**
 * The predecessors of each node. A dataset comes before its readers. Statements on one table keep the order of the text. All
 * statements that write a table come before the datasets that read it, wherever those are defined; a final DROP comes after them.
 */
export function predecessors(
  nodes: readonly PipelineNode[],
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
): ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>> {
  const before = new Map(nodes.map((node) => [node, new Set<PipelineNode>()]));
  const precedes = (first: PipelineNode | undefined, second: PipelineNode | undefined): void => {
    if (first && second && first !== second) before.get(second)?.add(first);
  };
  const makers = new Map(
    nodes.flatMap((node) => (node.kind === "dataset" ? [[node.name, node] as const] : [])),
  );
  const plain = nodes.filter((node) => node.kind === "plain");
  const writers = new Map<string, PlainNode[]>();
  const readers = new Map<string, PipelineNode[]>();
  for (const node of plain) {
    for (const table of reads.get(node) ?? []) {
      const maker = makers.get(table);
      precedes(maker ?? writers.get(table)?.at(-1), node);
      push(readers, table, node);
    }
    for (const table of node.writes) {
      precedes(writers.get(table)?.at(-1), node);
      for (const reader of readers.get(table) ?? []) precedes(reader, node);
      readers.delete(table);
      push(writers, table, node);
    }
  }
  for (const node of makers.values()) {
    for (const table of reads.get(node) ?? []) {
      const maker = makers.get(table);
      if (maker === node) before.get(node)?.add(node);
      precedes(maker ?? writers.get(table)?.findLast((one, at, all) => !isLastDrop(one, at, all)), node);
    }
    for (const table of throughViews(node, makers, reads)) {
      const all = writers.get(table) ?? [];
      precedes(
        node,
        all.find((one, at) => isLastDrop(one, at, all)),
      );
    }
  }
  return before;
}

const isLastDrop = ({ draft }: PlainNode, at: number, all: readonly PlainNode[]): boolean =>
  at === all.length - 1 && (draft.meaning?.verb === "drop_table" || draft.meaning?.verb === "drop_view");

/** The tables that a dataset reads, including those behind views, which have no rows of their own. */
function throughViews(
  node: DatasetNode,
  makers: ReadonlyMap<string, DatasetNode>,
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(reads.get(node));
  // The loop also visits the names that it adds.
  for (const table of found) {
    const view = makers.get(table);
    if (view?.draft.dataset.kind === "view") for (const one of reads.get(view) ?? []) found.add(one);
  }
  return found;
}

function push<One extends PipelineNode>(lists: Map<string, One[]>, table: string, node: One): void {
  const list = lists.get(table);
  if (list) list.push(node);
  else lists.set(table, [node]);
}

/** A topological order, with ties in the order of the text, and the nodes that depend on each other. */
export function topologicalOrder(
  nodes: readonly PipelineNode[],
  before: ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>>,
): { readonly order: readonly PipelineNode[]; readonly remaining: readonly PipelineNode[] } {
  const after = new Map<PipelineNode, PipelineNode[]>(nodes.map((node) => [node, []]));
  const waits = new Map<PipelineNode, number>();
  for (const [node, firsts] of before) {
    waits.set(node, firsts.size);
    for (const first of firsts) after.get(first)?.push(node);
  }
  const ready = nodes.filter((node) => waits.get(node) === 0);
  const order: PipelineNode[] = [];
  while (ready.length > 0) {
    const next = ready.reduce((least, node) => (node.index < least.index ? node : least));
    ready.splice(ready.indexOf(next), 1);
    order.push(next);
    for (const node of after.get(next) ?? []) {
      const left = (waits.get(node) ?? 0) - 1;
      waits.set(node, left);
      if (left === 0) ready.push(node);
    }
  }
  const done = new Set(order);
  return { order, remaining: nodes.filter((node) => !done.has(node)) };
}

/** The cycles among the remaining nodes, each starting with its first node in the text. */
export function cyclesIn(
  remaining: readonly PipelineNode[],
  before: ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>>,
): readonly (readonly PipelineNode[])[] {
  const isStuck = new Set(remaining);
  const walked = new Set<PipelineNode>();
  const found: (readonly PipelineNode[])[] = [];
  for (const start of remaining) {
    const path: PipelineNode[] = [];
    let node: PipelineNode | undefined = start;
    while (node && !walked.has(node)) {
      walked.add(node);
      path.push(node);
      const firsts: readonly PipelineNode[] = [...(before.get(node) ?? [])].filter((one) => isStuck.has(one));
      // The predecessor that closes a cycle on this path, if any.
      const closing: PipelineNode | undefined = firsts.find((one) => path.includes(one));
      if (closing) {
        found.push(fromFirst(path.slice(path.indexOf(closing))));
        break;
      }
      node = firsts.find((one) => !walked.has(one));
    }
  }
  return found;
}

function fromFirst(cycle: readonly PipelineNode[]): readonly PipelineNode[] {
  const least = Math.min(...cycle.map(({ index }) => index));
  const at = cycle.findIndex(({ index }) => index === least);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}

import type { DatasetNode, PipelineNode, PlainNode } from "./nodes.ts";

/**
 * What comes before each node. Datasets come before what reads them. Statements on one table keep the order of the text, and
 * all that write a table come before the datasets that read it, wherever these stand; a DROP that comes last, after them.
 */
export function predecessors(
  nodes: readonly PipelineNode[],
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
): ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>> {
  const before = new Map(nodes.map((node) => [node, new Set<PipelineNode>()]));
  const goes = (first: PipelineNode | undefined, second: PipelineNode | undefined): void => {
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
      goes(maker ?? writers.get(table)?.at(-1), node);
      push(readers, table, node);
    }
    for (const table of node.writes) {
      goes(writers.get(table)?.at(-1), node);
      for (const reader of readers.get(table) ?? []) goes(reader, node);
      readers.delete(table);
      push(writers, table, node);
    }
  }
  for (const node of makers.values()) {
    for (const table of reads.get(node) ?? []) {
      const maker = makers.get(table);
      if (maker === node) before.get(node)?.add(node);
      goes(maker ?? writers.get(table)?.findLast((one, at, all) => !isLastDrop(one, at, all)), node);
    }
    for (const table of throughViews(node, makers, reads)) {
      const all = writers.get(table) ?? [];
      goes(
        node,
        all.find((one, at) => isLastDrop(one, at, all)),
      );
    }
  }
  return before;
}

const isLastDrop = ({ draft }: PlainNode, at: number, all: readonly PlainNode[]): boolean =>
  at === all.length - 1 && (draft.meaning?.verb === "drop_table" || draft.meaning?.verb === "drop_view");

/** The tables that a dataset reads, also those behind views, which have no rows of their own. */
function throughViews(
  node: DatasetNode,
  makers: ReadonlyMap<string, DatasetNode>,
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(reads.get(node));
  // What is added while it is walked is walked too.
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

/** Each node after its predecessors, ties as in the text; and those that wait for each other. */
export function topologicalOrder(
  nodes: readonly PipelineNode[],
  before: ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>>,
): { readonly order: readonly PipelineNode[]; readonly stuck: readonly PipelineNode[] } {
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
  return { order, stuck: nodes.filter((node) => !done.has(node)) };
}

/** The circles among nodes that are stuck, each beginning with what stands first in the text. */
export function cyclesIn(
  stuck: readonly PipelineNode[],
  before: ReadonlyMap<PipelineNode, ReadonlySet<PipelineNode>>,
): readonly (readonly PipelineNode[])[] {
  const isStuck = new Set(stuck);
  const walked = new Set<PipelineNode>();
  const found: (readonly PipelineNode[])[] = [];
  for (const start of stuck) {
    const path: PipelineNode[] = [];
    let node: PipelineNode | undefined = start;
    while (node && !walked.has(node)) {
      walked.add(node);
      path.push(node);
      const firsts: readonly PipelineNode[] = [...(before.get(node) ?? [])].filter((one) => isStuck.has(one));
      // The one that closes the circle on this very path, if there is one.
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

function fromFirst(circle: readonly PipelineNode[]): readonly PipelineNode[] {
  const least = Math.min(...circle.map(({ index }) => index));
  const at = circle.findIndex(({ index }) => index === least);
  return [...circle.slice(at), ...circle.slice(0, at)];
}

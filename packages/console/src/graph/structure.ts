import type { Edges } from "./layers.ts";

/** An edge by the ids of its nodes. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

/** Identifies the shape of a graph: as long as it is equal, no node moves. */
export const shapeOf = (ids: readonly string[], edges: readonly GraphEdge[]): string =>
  JSON.stringify([ids, edges.map(({ from, to }) => [from, to])]);

/** The edges by index: each once, without those to unknown nodes and from a node to itself. */
export function indexedEdges(ids: readonly string[], edges: readonly GraphEdge[]): Edges {
  const indexes = new Map(ids.map((id, at) => [id, at]));
  const seen = new Set<number>();
  const pairs: [number, number][] = [];
  for (const edge of edges) {
    const from = indexes.get(edge.from);
    const to = indexes.get(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    const key = from * ids.length + to;
    if (seen.has(key)) continue;
    seen.add(key);
    pairs.push([from, to]);
  }
  return pairs;
}

/** What a node depends on and what depends on it, directly or not: 1 for the nodes before, 2 for those after, 3 for itself. */
export function related(count: number, edges: Edges, node: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const [mark, near, far] of [
    [1, 1, 0],
    [2, 0, 1],
  ] as const) {
    const lists: number[][] = Array.from({ length: count }, () => []);
    for (const edge of edges) lists[edge[near]]?.push(edge[far]);
    const queue = [node];
    for (let at = 0; at < queue.length; at++) {
      for (const other of lists[queue[at] as number] ?? []) {
        if (other === node || ((marks[other] as number) & mark) !== 0) continue;
        marks[other] = (marks[other] as number) | mark;
        queue.push(other);
      }
    }
  }
  marks[node] = 3;
  return marks;
}

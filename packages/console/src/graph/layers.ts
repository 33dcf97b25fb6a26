/** Pairs of node indexes: the first of each pair comes before the second. */
export type Edges = readonly (readonly [from: number, to: number])[];

/** For each node, the others at the far end of its edges. */
export function neighbours(count: number, edges: Edges, near: 0 | 1): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) lists[edge[near]]?.push(edge[1 - near] as number);
  return lists;
}

/**
 * The layer of each node by longest path: one after the last of those before it. A node with nothing before it is moved to
 * its nearest successor. Of each cycle one edge is ignored: it leads to the same or an earlier layer.
 */
export function layersOf(count: number, edges: Edges): Int32Array {
  const after = neighbours(count, edges, 0);
  const layers = new Int32Array(count);
  const isPlaced = new Uint8Array(count);
  const missing = new Int32Array(count);
  for (const [, to] of edges) missing[to] = (missing[to] as number) + 1;
  const isFirst = missing.map((number) => (number === 0 ? 1 : 0));
  const queue: number[] = [];
  for (let node = 0; node < count; node++) if (missing[node] === 0) queue.push(node);
  let next = 0;
  let unplaced = 0;
  while (next < queue.length || unplaced < count) {
    if (next === queue.length) {
      // All that remain follow a cycle: begin with the first of them.
      if (!isPlaced[unplaced]) queue.push(unplaced);
      unplaced++;
      continue;
    }
    const node = queue[next++] as number;
    if (isPlaced[node]) continue;
    isPlaced[node] = 1;
    for (const other of after[node] ?? []) {
      if (isPlaced[other]) continue;
      layers[other] = Math.max(layers[other] as number, (layers[node] as number) + 1);
      missing[other] = (missing[other] as number) - 1;
      if (missing[other] === 0) queue.push(other);
    }
  }
  for (let node = 0; node < count; node++) {
    if (!isFirst[node] || after[node]?.length === 0) continue;
    const nearest = (after[node] ?? []).reduce(
      (least, other) => Math.min(least, layers[other] as number),
      Number.POSITIVE_INFINITY,
    );
    layers[node] = Math.max(0, nearest - 1);
  }
  return layers;
}

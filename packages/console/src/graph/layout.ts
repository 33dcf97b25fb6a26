import { type Edges, layersOf, neighbours } from "./layers.ts";
import { ordered } from "./order.ts";
import { pack } from "./pack.ts";
import { spread } from "./spread.ts";

/** All nodes have one size. */
export const nodeWidth = 212;
export const nodeHeight = 52;
const gapX = 60;
const gapY = 16;
/** Between two lines that pass a layer. */
const lineGap = 12;
const rounds = 3;

export type Point = readonly [x: number, y: number];

export interface Layout {
  /** The upper left corner of each node. */
  readonly nodes: readonly Point[];
  /** For each edge the points between its ends, where it passes other layers. */
  readonly bends: readonly (readonly Point[])[];
  readonly width: number;
  readonly height: number;
}

/** Layers from left to right: parts that are not connected are laid out by themselves, and packed. */
export function layOut(count: number, edges: Edges): Layout {
  const nodes: Point[] = new Array(count);
  const bends: Point[][] = edges.map(() => []);
  const parts = partsOf(count, edges).map((part) => layOutPart(part, edges));
  const { corners, width, height } = pack(parts);
  for (const [at, part] of parts.entries()) {
    const [left, top] = corners[at] as Point;
    for (const [node, x, y] of part.nodes) nodes[node] = [left + x, top + y];
    for (const [edge, points] of part.bends) bends[edge] = points.map(([x, y]) => [left + x, top + y]);
  }
  return { nodes, bends, width, height };
}

interface Part {
  readonly nodes: readonly number[];
  /** Indexes of edges. */
  readonly edges: readonly number[];
}

/** The connected parts. */
function partsOf(count: number, edges: Edges): Part[] {
  const parent = Int32Array.from({ length: count }, (_, node) => node);
  const root = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  };
  for (const [from, to] of edges) parent[root(from)] = root(to);
  const parts = new Map<number, { nodes: number[]; edges: number[] }>();
  for (let node = 0; node < count; node++) {
    const key = root(node);
    const part = parts.get(key) ?? { nodes: [], edges: [] };
    part.nodes.push(node);
    parts.set(key, part);
  }
  for (const [at, [from]] of edges.entries()) parts.get(root(from))?.edges.push(at);
  return [...parts.values()];
}

interface PlacedPart {
  readonly nodes: readonly (readonly [node: number, x: number, y: number])[];
  readonly bends: readonly (readonly [edge: number, points: readonly Point[]])[];
  readonly width: number;
  readonly height: number;
}

function layOutPart(part: Part, allEdges: Edges): PlacedPart {
  // Graphs may have thousands of nodes without edges.
  if (part.nodes.length === 1)
    return { nodes: [[part.nodes[0] as number, 0, 0]], bends: [], width: nodeWidth, height: nodeHeight };
  const indexes = new Map(part.nodes.map((node, at) => [node, at]));
  const local = part.edges.map((edge) => {
    const [from, to] = allEdges[edge] as Edges[number];
    return [indexes.get(from) as number, indexes.get(to) as number] as const;
  });
  const size = part.nodes.length;
  const layerOf = layersOf(size, local);
  const { layers, links, chains, count } = withPasses(size, local, layerOf);
  const order = ordered(layers, count, links);
  const y = heights(order, size, count, links);
  const x = (layer: number) => layer * (nodeWidth + gapX);
  let top = Number.POSITIVE_INFINITY;
  let bottom = 0;
  for (const value of y) {
    top = Math.min(top, value);
    bottom = Math.max(bottom, value);
  }
  return {
    nodes: part.nodes.map((node, at) => [node, x(layerOf[at] as number), (y[at] as number) - top]),
    bends: chains.map(([edge, passes, first]) => [
      part.edges[edge] as number,
      passes.flatMap((pass, at): Point[] => {
        const left = x(first + at);
        const height = (y[pass] as number) - top + nodeHeight / 2;
        return [
          [left, height],
          [left + nodeWidth, height],
        ];
      }),
    ]),
    width: x(layers.length - 1) + nodeWidth,
    height: bottom - top + nodeHeight,
  };
}

/**
 * An edge over several layers becomes a chain of passes, one in each layer between, so that it does not run through nodes. The
 * number of passes is limited: beyond it, the longest edges are drawn straight.
 */
function withPasses(size: number, edges: Edges, layerOf: Int32Array) {
  const span = ([from, to]: Edges[number]) => (layerOf[to] as number) - (layerOf[from] as number);
  const last = layerOf.reduce((most, layer) => Math.max(most, layer), 0);
  const layers: number[][] = Array.from({ length: last + 1 }, () => []);
  for (let node = 0; node < size; node++) layers[layerOf[node] as number]?.push(node);
  const links: [number, number][] = [];
  const chains: [edge: number, passes: number[], first: number][] = [];
  let budget = 2 * size + 100;
  let count = size;
  const bySpan = edges.map((edge, at) => [span(edge), at] as const).sort(([a], [b]) => a - b);
  for (const [length, at] of bySpan) {
    const [from, to] = edges[at] as Edges[number];
    if (length < 1 || length - 1 > budget) continue;
    budget -= length - 1;
    const first = (layerOf[from] as number) + 1;
    const passes: number[] = [];
    for (let layer = first; layer < (layerOf[to] as number); layer++) {
      layers[layer]?.push(count);
      passes.push(count++);
    }
    const chain = [from, ...passes, to];
    for (let link = 0; link + 1 < chain.length; link++)
      links.push([chain[link] as number, chain[link + 1] as number]);
    if (passes.length > 0) chains.push([at, passes, first]);
  }
  return { layers, links, chains, count };
}

/** The height of each item: near its neighbours, without overlap. Items from `size` on are passes. */
function heights(order: readonly (readonly number[])[], size: number, count: number, links: Edges) {
  const before = neighbours(count, links, 1);
  const after = neighbours(count, links, 0);
  const y = new Float64Array(count);
  const gapsOf = (layer: readonly number[]) =>
    layer.map((item, at) => {
      const above = layer[at - 1] ?? item;
      if (item < size && above < size) return nodeHeight + gapY;
      return item >= size && above >= size ? lineGap : nodeHeight / 2 + lineGap;
    });
  const gaps = order.map(gapsOf);
  for (const [at, layer] of order.entries()) {
    let height = 0;
    for (const [index, item] of layer.entries()) {
      if (index > 0) height += gaps[at]?.[index] as number;
      y[item] = height;
    }
  }
  const settle = (at: number, near: readonly (readonly number[])[]) => {
    const layer = order[at] as readonly number[];
    const wanted = layer.map((item) => {
      const others = near[item] as readonly number[];
      if (others.length === 0) return y[item] as number;
      return others.reduce((sum, other) => sum + (y[other] as number), 0) / others.length;
    });
    // Long lines shall be straight.
    const weights = layer.map((item) => (item < size ? 1 : 4));
    for (const [index, height] of spread(wanted, weights, gaps[at] as number[]).entries())
      y[layer[index] as number] = height;
  };
  for (let round = 0; round < rounds; round++) {
    for (let at = 1; at < order.length; at++) settle(at, before);
    for (let at = order.length - 2; at >= 0; at--) settle(at, after);
  }
  return y;
}

import { type Layout, nodeHeight, nodeWidth, type Point } from "./layout.ts";

/** What part of the graph is shown: a point of the graph is at `x + point * scale` on the screen. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const margin = 24;
const leastScale = 0.02;
const mostScale = 2;
/** Below this, texts cannot be read: a graph that would need less is opened at one of its nodes. */
const readableScale = 0.55;

const centred = (graph: Size, box: Size, scale: number): View => ({
  x: Math.max(margin, (box.width - graph.width * scale) / 2),
  y: Math.max(margin, (box.height - graph.height * scale) / 2),
  scale,
});

/** The whole graph, not larger than it is. */
export function fit(graph: Size, box: Size): View {
  const fitting = Math.min(
    (box.width - 2 * margin) / Math.max(1, graph.width),
    (box.height - 2 * margin) / Math.max(1, graph.height),
  );
  return centred(graph, box, Math.max(leastScale, Math.min(1, fitting)));
}

/** The whole graph if its texts can be read then, otherwise a node in the middle, as far as there is graph around it. */
export function firstView(graph: Size & Pick<Layout, "nodes">, box: Size, node = 0): View {
  const view = fit(graph, box);
  if (view.scale >= readableScale) return view;
  const scale = readableScale;
  const [x, y] = graph.nodes[node] ?? [0, 0];
  const place = (middle: number, whole: number, room: number) => {
    const spare = room - whole * scale;
    if (spare > 2 * margin) return spare / 2;
    return Math.min(margin, Math.max(spare - margin, room / 2 - middle * scale));
  };
  return {
    x: place(x + nodeWidth / 2, graph.width, box.width),
    y: place(y + nodeHeight / 2, graph.height, box.height),
    scale,
  };
}

/** Closer or farther; the point of the screen at `at` stays where it is. */
export function zoom(view: View, factor: number, [atX, atY]: Point): View {
  const scale = Math.min(mostScale, Math.max(leastScale, view.scale * factor));
  const ratio = scale / view.scale;
  return { x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio, scale };
}

/** Moves as little as needed to show a node. */
export function reveal(view: View, [x, y]: Point, box: Size): View {
  const shift = (from: number, length: number, limit: number) => {
    if (from < margin) return margin - from;
    return from + length > limit - margin ? limit - margin - from - length : 0;
  };
  return {
    ...view,
    x: view.x + shift(view.x + x * view.scale, nodeWidth * view.scale, box.width),
    y: view.y + shift(view.y + y * view.scale, nodeHeight * view.scale, box.height),
  };
}

/** The part of the graph that is in view, with a border, so that a small move needs no new nodes. */
function frame({ x, y, scale }: View, { width, height }: Size) {
  const border = 200;
  return {
    left: (-x - border) / scale,
    top: (-y - border) / scale,
    right: (width - x + border) / scale,
    bottom: (height - y + border) / scale,
  };
}

/** The indexes of the nodes in view. */
export function nodesInView({ nodes }: Layout, view: View, box: Size): number[] {
  const { left, top, right, bottom } = frame(view, box);
  const found: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const [x, y] = nodes[at] as Point;
    if (x < right && x + nodeWidth > left && y < bottom && y + nodeHeight > top) found.push(at);
  }
  return found;
}

/** The indexes of the edges that may be seen: whose box is in view. */
export function edgesInView(
  { nodes, bends }: Layout,
  edges: readonly (readonly [number, number])[],
  view: View,
  box: Size,
): number[] {
  const { left, top, right, bottom } = frame(view, box);
  const found: number[] = [];
  for (let at = 0; at < edges.length; at++) {
    const [from, to] = edges[at] as readonly [number, number];
    let [leftmost, highest] = nodes[from] as Point;
    let [rightmost, lowest] = [leftmost, highest];
    for (const [x, y] of [nodes[to] as Point, ...(bends[at] as readonly Point[])]) {
      leftmost = Math.min(leftmost, x);
      rightmost = Math.max(rightmost, x);
      highest = Math.min(highest, y);
      lowest = Math.max(lowest, y);
    }
    if (leftmost < right && rightmost + nodeWidth > left && highest < bottom && lowest + nodeHeight > top)
      found.push(at);
  }
  return found;
}

/** The line of an edge: from the right side of a node to the left side of another, smooth at each bend. */
export function edgePath(
  { nodes, bends }: Layout,
  [from, to]: readonly [number, number],
  at: number,
): string {
  const [fromX, fromY] = nodes[from] as Point;
  const [toX, toY] = nodes[to] as Point;
  const points: Point[] = [
    [fromX + nodeWidth, fromY + nodeHeight / 2],
    ...(bends[at] ?? []),
    [toX, toY + nodeHeight / 2],
  ];
  let path = "";
  for (const [index, [x, y]] of points.entries()) {
    const before = points[index - 1];
    if (!before) path = `M${x} ${y.toFixed(1)}`;
    // Two points of one pass: straight through its layer.
    else if (index % 2 === 0) path += `H${x}`;
    else {
      const reach = Math.max(30, Math.abs(x - before[0]) / 2);
      path += `C${before[0] + reach} ${before[1].toFixed(1)} ${x - reach} ${y.toFixed(1)} ${x} ${y.toFixed(1)}`;
    }
  }
  return path;
}

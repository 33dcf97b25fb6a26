import type { Edges } from "./layers.ts";
import type { Layout, Point } from "./layout.ts";

/** The node that an arrow key leads to: along an edge to the left or right, or to the next one above or below. */
export function nextNode(key: string, from: number, { nodes }: Layout, edges: Edges): number | undefined {
  const place = nodes[from];
  if (!place) return undefined;
  const [x, y] = place;
  const nearest = (candidates: readonly number[]) =>
    candidates.reduce<number | undefined>((best, at) => {
      const distance = (node: number) => Math.abs((nodes[node] as Point)[1] - y);
      return best === undefined || distance(at) < distance(best) ? at : best;
    }, undefined);
  const inColumn = (isBelow: boolean) => {
    const candidates: number[] = [];
    for (const [at, [otherX, otherY]] of nodes.entries())
      if (at !== from && otherX === x && (isBelow ? otherY > y : otherY < y)) candidates.push(at);
    return nearest(candidates);
  };
  switch (key) {
    case "ArrowRight":
      return nearest(edges.filter((edge) => edge[0] === from).map((edge) => edge[1]));
    case "ArrowLeft":
      return nearest(edges.filter((edge) => edge[1] === from).map((edge) => edge[0]));
    case "ArrowDown":
      return inColumn(true);
    case "ArrowUp":
      return inColumn(false);
    default:
      return undefined;
  }
}

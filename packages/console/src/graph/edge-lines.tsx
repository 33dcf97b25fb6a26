import type { VNode } from "preact";
import type { Edges } from "./layers.ts";
import { type Layout, nodeHeight, nodeWidth, type Point } from "./layout.ts";
import { edgePath } from "./view.ts";

interface EdgeLinesProps {
  readonly layout: Layout;
  readonly edges: Edges;
  /** Indexes of the edges to draw. */
  readonly inView: readonly number[];
  /** How nodes relate to the chosen one. */
  readonly marks: Uint8Array | undefined;
  /** Indexes of the nodes that are drawn as rectangles, because there are too many. */
  readonly sketched: readonly number[];
  readonly toneOf: (node: number) => string;
}

/** Lines of the same look are one path: ten thousand of them stay fast. */
export function EdgeLines({ layout, edges, inView, marks, sketched, toneOf }: EdgeLinesProps): VNode {
  let plain = "";
  let related = "";
  for (const at of inView) {
    const edge = edges[at] as Edges[number];
    const isRelated = marks && ((marks[edge[0]] as number) & (marks[edge[1]] as number)) !== 0;
    const path = edgePath(layout, edge, at);
    if (isRelated) related += path;
    else plain += path;
  }
  const rectangles = new Map<string, string>();
  for (const node of sketched) {
    const [x, y] = layout.nodes[node] as Point;
    const tone = toneOf(node);
    rectangles.set(tone, `${rectangles.get(tone) ?? ""}M${x} ${y}h${nodeWidth}v${nodeHeight}h-${nodeWidth}z`);
  }
  return (
    <svg class="graph-edges" width="1" height="1" aria-hidden="true">
      <path class="edge" d={plain} />
      <path class="edge related" d={related} />
      {[...rectangles].map(([tone, path]) => (
        <path key={tone} class={`sketch ${tone}`} d={path} />
      ))}
    </svg>
  );
}

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Edges } from "../src/graph/layers.ts";
import { type Layout, layOut, nodeHeight, nodeWidth } from "../src/graph/layout.ts";
import { nextNode } from "../src/graph/next-node.ts";
import { indexedEdges, related } from "../src/graph/structure.ts";
import { firstView, fit, nodesInView, reveal, zoom } from "../src/graph/view.ts";

/** As wide as pipelines are: each table reads two of the tables shortly before it. */
function tables(count: number): Edges {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const edges: [number, number][] = [];
  for (let to = 1; to < count; to++)
    for (let reads = 0; reads < 2; reads++)
      edges.push([to - 1 - Math.floor(random() * Math.min(to, count / 10)), to]);
  return edges;
}

/** The CPU time of the fastest of several: a busy machine changes it little. */
function cost(count: number, times: number): number {
  const edges = tables(count);
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    layOut(count, edges);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

function assertNoOverlap({ nodes }: Layout): void {
  const sorted = [...nodes].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  for (const [at, [x, y]] of sorted.entries()) {
    const above = sorted[at - 1];
    if (above?.[0] === x) assert.ok(y - above[1] >= nodeHeight - 0.01, `${above} and ${x},${y}`);
  }
}

suite("the layout of graphs", () => {
  test("a table is to the right of all that it reads, and none overlap", () => {
    const edges = tables(300);
    const layout = layOut(300, edges);
    for (const [from, to] of edges)
      assert.ok((layout.nodes[to]?.[0] ?? 0) >= (layout.nodes[from]?.[0] ?? 0) + nodeWidth);
    assertNoOverlap(layout);
  });

  test("a line over a layer passes between its nodes", () => {
    // 0 → 1 → 2, and 0 → 2 beside 1.
    const layout = layOut(3, [
      [0, 1],
      [1, 2],
      [0, 2],
    ]);
    const [, top] = layout.nodes[1] ?? [0, 0];
    const heights = layout.bends[2]?.map(([, y]) => y) ?? [];
    assert.equal(heights.length, 2);
    for (const y of heights) assert.ok(y <= top || y >= top + nodeHeight, `${y} is in the node at ${top}`);
  });

  test("two chains do not cross", () => {
    const { nodes } = layOut(6, [
      [0, 4],
      [1, 3],
      [3, 2],
      [4, 5],
      [0, 3],
    ]);
    const y = (node: number) => nodes[node]?.[1] ?? 0;
    assert.equal(y(0) < y(1), y(4) < y(3));
    assert.equal(y(4) < y(3), y(5) < y(2));
  });

  test("cycles, loops of one node, and nodes without edges have places", () => {
    const layout = layOut(6, [
      [0, 1],
      [1, 2],
      [2, 0],
      [2, 3],
    ]);
    assert.equal(new Set(layout.nodes.map(String)).size, 6);
    assert.deepEqual(layOut(0, []), { nodes: [], bends: [], width: 0, height: 0 });
    assert.deepEqual(
      indexedEdges(
        ["a", "b"],
        [
          { from: "a", to: "b" },
          { from: "a", to: "b" },
          { from: "a", to: "a" },
          { from: "a", to: "elsewhere" },
        ],
      ),
      [[0, 1]],
    );
  });

  test("a thousand tables without edges fill the screen instead of one column", () => {
    const { width, height } = layOut(1000, []);
    assert.ok(width / height > 0.8 && width / height < 3, `${width} × ${height}`);
  });

  test("500 tables take less than 100 ms of CPU time", () => {
    const microseconds = cost(500, 8);
    assert.ok(microseconds < 100_000, `${microseconds} µs`);
  });

  // Measured on 2 busy cores: 45 ms for 500, 0.5 s for 10,000. Quadratic would be 100 times as long.
  test("10 times as many tables take less than 40 times as long", () => {
    const small = cost(400, 6);
    const large = cost(4_000, 2);
    assert.ok(large < 40 * small, `${large} µs for 4,000, ${small} µs for 400`);
  });

  test("hostile graphs stay small: a chain whose first node is read by all has few bends", () => {
    const edges: [number, number][] = [];
    for (let to = 1; to < 3000; to++) edges.push([to - 1, to], [0, to]);
    const bends = layOut(3000, edges).bends.reduce((sum, points) => sum + points.length, 0);
    assert.ok(bends <= 2 * (2 * 3000 + 100), String(bends));
  });
});

suite("the view of a graph", () => {
  const box = { width: 800, height: 600 };

  test("a small graph is shown as it is, a large one from its first node, and fit shows all of it", () => {
    assert.equal(firstView({ width: 300, height: 100, nodes: [] }, box).scale, 1);
    const large = { width: 20_000, height: 20_000, nodes: [[0, 974] as const] };
    assert.deepEqual(firstView(large, box), { x: 24, y: 300 - 1_000 * 0.55, scale: 0.55 });
    // A chosen node is in the middle, but nothing is shown beyond the end of the graph.
    const long = { width: 3_000, height: 100, nodes: [[0, 0] as const, [2_790, 0] as const] };
    assert.deepEqual(firstView(long, box, 1), {
      x: 800 - 24 - 3_000 * 0.55,
      y: 300 - 50 * 0.55,
      scale: 0.55,
    });
    assert.ok(20_000 * fit(large, box).scale <= 600);
  });

  test("zooming keeps the point under the pointer, and a node out of view is brought back", () => {
    const view = zoom({ x: 10, y: 20, scale: 1 }, 2, [110, 220]);
    assert.deepEqual(view, { x: -90, y: -180, scale: 2 });
    const shown = reveal({ x: 0, y: 0, scale: 1 }, [5_000, 40], box);
    assert.deepEqual(shown, { x: 800 - 24 - nodeWidth - 5_000, y: 0, scale: 1 });
  });

  test("only nodes in view are drawn", () => {
    const layout = layOut(10_000, []);
    const shown = nodesInView(layout, { x: 0, y: 0, scale: 1 }, box);
    assert.ok(shown.length > 5 && shown.length < 60, String(shown.length));
  });

  test("arrow keys go along edges and to the nodes above and below", () => {
    const edges: Edges = [
      [0, 1],
      [0, 2],
    ];
    const layout = layOut(3, edges);
    assert.ok([1, 2].includes(nextNode("ArrowRight", 0, layout, edges) ?? -1));
    assert.equal(nextNode("ArrowLeft", 2, layout, edges), 0);
    const [upper, lower] = (layout.nodes[1]?.[1] ?? 0) < (layout.nodes[2]?.[1] ?? 0) ? [1, 2] : [2, 1];
    assert.equal(nextNode("ArrowDown", upper, layout, edges), lower);
    assert.equal(nextNode("ArrowUp", lower, layout, edges), upper);
    assert.equal(nextNode("ArrowUp", upper, layout, edges), undefined);
    assert.equal(nextNode("a", 0, layout, edges), undefined);
  });

  test("a chosen node stands out with all before and after it", () => {
    const edges: Edges = [
      [0, 1],
      [1, 2],
      [3, 1],
      [3, 4],
    ];
    assert.deepEqual([...related(5, edges, 1)], [1, 3, 2, 1, 0]);
  });
});

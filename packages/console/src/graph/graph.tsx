import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ErrorBox } from "../ui/error-box.tsx";
import { Icon } from "../ui/icons.tsx";
import { Loading } from "../ui/page.tsx";
import { toneOf } from "../ui/status.tsx";
import { EdgeLines } from "./edge-lines.tsx";
import { nodeHeight, nodeWidth, type Point } from "./layout.ts";
import { nextNode } from "./next-node.ts";
import { type GraphEdge, indexedEdges, related, shapeOf } from "./structure.ts";
import { useLayout } from "./use-layout.ts";
import { edgesInView, firstView, fit, nodesInView, reveal, type Size, type View, zoom } from "./view.ts";

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  /** A second line, such as its kind and number of rows. */
  readonly note?: string | undefined;
  /** Its state in a word that `Status` knows: it has its colour. */
  readonly status?: string | undefined;
  /** What needs attention, such as dropped rows. */
  readonly badge?: string | undefined;
  /** Is not part of what is shown, only read or written by it. */
  readonly isOutside?: boolean;
}

interface GraphProps {
  /** Names the graph for screen readers. */
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The id of the chosen node: what it depends on and what depends on it stand out. */
  readonly chosen?: string | undefined;
  /** The ids of nodes that stand out instead of those around the chosen one. */
  readonly highlighted?: ReadonlySet<string> | undefined;
  readonly onChoose?: (id: string | undefined) => void;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** Beyond this many nodes in view, they are drawn as plain rectangles. */
const mostNodes = 500;
const step = 1.3;
const moved = 4;

/** A graph from left to right that you can move and zoom. Only what is in view is in the page. Arrow keys go along its edges. */
export function Graph(props: GraphProps): VNode {
  const { label, nodes, edges, chosen, highlighted, onChoose, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const shape = useMemo(
    () =>
      shapeOf(
        nodes.map(({ id }) => id),
        edges,
      ),
    [nodes, edges],
  );
  const pairs = useMemo(
    () =>
      indexedEdges(
        nodes.map(({ id }) => id),
        edges,
      ),
    [shape],
  );
  const { layout, error } = useLayout(shape, nodes.length, pairs);
  const [state, setState] = useState<{ readonly shape: string; readonly view: View } | undefined>();
  const [current, setCurrent] = useState<number | undefined>();
  const at = nodes.findIndex(({ id }) => id === chosen);
  // The one that was chosen when the graph came: a later choice does not move it.
  const firstNode = useMemo(() => Math.max(0, at), [shape]);
  const view =
    state?.shape === shape
      ? state.view
      : layout && size
        ? firstView(layout, size, firstNode)
        : { x: 0, y: 0, scale: 1 };
  const setView = (next: View) => setState({ shape, view: next });
  const latest = useRef({ view, setView, layout, size });
  latest.current = { view, setView, layout, size };
  useWheel(box, latest);
  const toFocus = useRef<number | undefined>(undefined);
  const focusNode = () => {
    const found = box.current?.querySelector<HTMLElement>(`[data-index="${toFocus.current}"]`);
    if (!found) return;
    toFocus.current = undefined;
    found.focus({ preventScroll: true });
  };
  // A node gets into the page when the view has moved. The one before may have left it: the next key must not get lost.
  useLayoutEffect(() => {
    if (toFocus.current !== undefined) focusNode();
  });
  const marks = useMemo(() => {
    if (highlighted) return Uint8Array.from(nodes, ({ id }) => (highlighted.has(id) ? 3 : 0));
    return at < 0 ? undefined : related(nodes.length, pairs, at);
  }, [shape, at, highlighted]);
  if (error) return <ErrorBox error={error} />;
  const isReady = layout !== undefined && size !== undefined;
  const inView = isReady ? nodesInView(layout, view, size) : [];
  const isSketch = inView.length > mostNodes;
  const tabStop = current !== undefined && current < nodes.length ? current : Math.max(0, at);
  const drawn = isSketch ? [] : inView;
  const shown = isReady && nodes.length > 0 && !drawn.includes(tabStop) ? [...drawn, tabStop] : drawn;

  const focus = (index: number) => {
    setCurrent(index);
    const place = layout?.nodes[index];
    const next = place && size ? reveal(view, place, size) : view;
    if (next.x !== view.x || next.y !== view.y) setView(next);
    toFocus.current = index;
    focusNode();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!layout || !size || event.ctrlKey || event.metaKey || event.altKey) return;
    const middle: Point = [size.width / 2, size.height / 2];
    const { index = String(tabStop) } = (event.target as HTMLElement).dataset;
    const next = nextNode(event.key, Number(index), layout, pairs);
    if (next !== undefined) focus(next);
    else if (event.key === "+" || event.key === "=") setView(zoom(view, step, middle));
    else if (event.key === "-") setView(zoom(view, 1 / step, middle));
    else if (event.key === "0") setView(fit(layout, size));
    else if (event.key === "Escape" && chosen !== undefined) onChoose?.(undefined);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent) => {
    const element = box.current;
    if (event.button !== 0 || !element || (event.target as Element).closest("button")) return;
    const start = { x: event.clientX, y: event.clientY, view };
    let isMove = false;
    const onMove = (next: PointerEvent) => {
      const [dx, dy] = [next.clientX - start.x, next.clientY - start.y];
      isMove ||= Math.hypot(dx, dy) > moved;
      if (isMove) latest.current.setView({ ...start.view, x: start.view.x + dx, y: start.view.y + dy });
    };
    const onUp = () => {
      element.removeEventListener("pointermove", onMove);
      if (!isMove && chosen !== undefined) onChoose?.(undefined);
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("lostpointercapture", onUp, { once: true });
  };
  const zoomBy = (factor: number) => size && setView(zoom(view, factor, [size.width / 2, size.height / 2]));
  return (
    <div
      ref={box}
      class={`graph ${props.class ?? ""}`}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    >
      {!isReady && nodes.length > 0 && <Loading what="the graph" />}
      {isReady && (
        <div
          class={marks ? "graph-layer has-choice" : "graph-layer"}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          <EdgeLines
            layout={layout}
            edges={pairs}
            inView={edgesInView(layout, pairs, view, size)}
            marks={marks}
            sketched={isSketch ? inView : []}
            toneOf={(index) => toneOf(nodes[index]?.status ?? "")}
          />
          {shown.map((index) => {
            const node = nodes[index] as GraphNode;
            const [x, y] = layout.nodes[index] as Point;
            return (
              <NodeButton
                key={node.id}
                node={node}
                index={index}
                x={x}
                y={y}
                isChosen={node.id === chosen}
                isDim={marks !== undefined && marks[index] === 0}
                isTabStop={index === tabStop}
                onFocus={() => index !== tabStop && focus(index)}
                onChoose={onChoose}
              />
            );
          })}
        </div>
      )}
      <div class="graph-tools">
        <button
          type="button"
          class="button"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => zoomBy(step)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="button"
          aria-label="Zoom out"
          title="Zoom out (-)"
          onClick={() => zoomBy(1 / step)}
        >
          <Icon name="minus" />
        </button>
        <button
          type="button"
          class="button"
          aria-label="Show the whole graph"
          title="Show the whole graph (0)"
          onClick={() => isReady && setView(fit(layout, size))}
        >
          <Icon name="fit" />
        </button>
      </div>
      {children}
    </div>
  );
}

interface NodeButtonProps {
  readonly node: GraphNode;
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly isChosen: boolean;
  readonly isDim: boolean;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
  readonly onChoose: ((id: string | undefined) => void) | undefined;
}

function NodeButton({
  node,
  index,
  x,
  y,
  isChosen,
  isDim,
  isTabStop,
  onFocus,
  onChoose,
}: NodeButtonProps): VNode {
  const { id, title, note, status, badge, isOutside } = node;
  const names = ["graph-node", toneOf(status ?? ""), isOutside && "outside", isDim && "dim"];
  return (
    <button
      type="button"
      class={names.filter(Boolean).join(" ")}
      data-index={index}
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isChosen}
      title={title}
      style={{ left: `${x}px`, top: `${y}px`, width: `${nodeWidth}px`, height: `${nodeHeight}px` }}
      onFocus={onFocus}
      onClick={() => onChoose?.(isChosen ? undefined : id)}
    >
      <span class="line">
        <span class="title clip">{title}</span>
        {badge && <span class="badge">{badge}</span>}
      </span>
      <span class="line faint">
        <span class="clip grow">{note}</span>
        {status && <span class={`state ${toneOf(status)}`}>{status}</span>}
      </span>
    </button>
  );
}

/** The size of an element, as it changes. */
function useSize(box: { readonly current: HTMLElement | null }): Size | undefined {
  const [size, setSize] = useState<Size | undefined>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return size;
}

interface Latest {
  readonly current: {
    readonly view: View;
    readonly setView: (view: View) => void;
    readonly layout: Size | undefined;
    readonly size: Size | undefined;
  };
}

/** The wheel moves a graph that is larger than its box; with Ctrl (and by pinching) it zooms. */
function useWheel(box: { readonly current: HTMLElement | null }, latest: Latest): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { view, setView, layout, size } = latest.current;
      if (!layout || !size) return;
      if (event.ctrlKey || event.metaKey) {
        const { left, top } = element.getBoundingClientRect();
        setView(zoom(view, Math.exp(-event.deltaY / 300), [event.clientX - left, event.clientY - top]));
      } else {
        const isInside = layout.width * view.scale < size.width && layout.height * view.scale < size.height;
        // The page scrolls.
        if (isInside) return;
        setView({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY });
      }
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}

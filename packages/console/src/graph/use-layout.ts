import { useEffect, useMemo, useState } from "preact/hooks";
import type { Edges } from "./layers.ts";
import { type Layout, layOut } from "./layout.ts";
import { isLarge, layOutInWorker } from "./layout-task.ts";

interface LaidOut {
  readonly layout?: Layout;
  readonly error?: Error;
}

/** The places of a graph's nodes: at once, or from a worker. `shape` identifies the graph. */
export function useLayout(shape: string, count: number, edges: Edges): LaidOut {
  const [later, setLater] = useState<LaidOut & { readonly shape?: string }>({});
  const now = useMemo(() => (isLarge(count) ? undefined : layOut(count, edges)), [shape]);
  useEffect(() => {
    if (!isLarge(count)) return;
    const controller = new AbortController();
    layOutInWorker(count, edges, controller.signal).then(
      (layout) => setLater({ shape, layout }),
      (error) => !controller.signal.aborted && setLater({ shape, error }),
    );
    return () => controller.abort();
  }, [shape]);
  if (now) return { layout: now };
  return later.shape === shape ? later : {};
}

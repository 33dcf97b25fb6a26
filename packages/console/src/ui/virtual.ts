import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

interface VirtualOptions {
  readonly count: number;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The rows of a long list that are in view, and the total height in pixels. */
export function useVirtualRows({
  count,
  rowHeight,
  scroller,
}: VirtualOptions): Virtualizer<HTMLElement, Element> {
  return useVirtual({ count, sizeOf: () => rowHeight, scroller, overscan: 12 });
}

/** The columns of a wide table that are in view, and the total width in pixels. */
export function useVirtualColumns(
  widths: readonly number[],
  scroller: VirtualOptions["scroller"],
): Virtualizer<HTMLElement, Element> {
  const sizeOf = (at: number) => widths[at] ?? 0;
  return useVirtual({ count: widths.length, sizeOf, scroller, overscan: 2, horizontal: true });
}

interface Axis extends Pick<VirtualOptions, "count" | "scroller"> {
  readonly sizeOf: (at: number) => number;
  readonly overscan: number;
  readonly horizontal?: boolean;
}

function useVirtual({ count, sizeOf, scroller, overscan, horizontal = false }: Axis) {
  const [, rerender] = useReducer((at: number) => at + 1, 0);
  const options = {
    count,
    horizontal,
    estimateSize: sizeOf,
    getScrollElement: () => scroller.current,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => rerender(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

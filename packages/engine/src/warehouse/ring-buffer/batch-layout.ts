import { hasHeap, type Wire } from "./wire-type.ts";

/** Where a column lies in each part, in bytes from the part's beginning. */
interface Place {
  readonly values: number;
  /** One bit a row, 1: it has a value. */
  readonly validity: number;
  /** Of columns with values of any length; else as long as nothing. */
  readonly heap: number;
}

/** How parts of rows lie in shared memory. Both sides work it out from the wire types alone. */
export interface Layout {
  readonly wires: readonly Wire[];
  /** Rows of a part at the most. */
  readonly rows: number;
  /** Parts in the ring. */
  readonly slots: number;
  readonly places: readonly Place[];
  readonly partBytes: number;
  readonly heapBytes: number;
}

/** A vector of DuckDB holds as many. */
const vectorRows = 2048;
/** Enough for the reader and DuckDB to work at their own pace; more did not make it faster. */
const mostSlots = 16;
const fewestSlots = 4;
/** Wide tables get fewer and shorter parts, so that a ring stays within it. */
const ringBytes = 48 * 2 ** 20;
/** Of long text in a part, for each row: a part whose heap is full goes with fewer rows. */
const heapBytesPerRow = 64;

export function layoutOf(wires: readonly Wire[]): Layout {
  let layout = withRows(wires, vectorRows);
  while (layout.partBytes * fewestSlots > ringBytes && layout.rows > 64)
    layout = withRows(wires, layout.rows / 2);
  return layout;
}

function withRows(wires: readonly Wire[], rows: number): Layout {
  const heapBytes = heapBytesPerRow * rows;
  let partBytes = 0;
  const take = (bytes: number) => {
    const at = partBytes;
    partBytes += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const places = wires.map((wire) => ({
    values: take(rows * wire.width),
    validity: take(rows / 8),
    heap: take(hasHeap(wire) ? heapBytes : 0),
  }));
  const slots = Math.max(fewestSlots, Math.min(mostSlots, Math.floor(ringBytes / Math.max(1, partBytes))));
  return { wires, rows, slots, places, partBytes, heapBytes };
}

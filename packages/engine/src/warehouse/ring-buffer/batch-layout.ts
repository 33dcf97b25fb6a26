import { hasHeap, type WireType } from "./wire-type.ts";

/** Where a column is in each batch, in bytes from the start of the batch. */
interface ColumnOffsets {
  readonly values: number;
  /** One bit per row; 1 if the row has a value. */
  readonly validity: number;
  /** For values of variable length; empty for other columns. */
  readonly heap: number;
}

/** How batches of rows are laid out in shared memory. Both threads derive it from the wire types alone. */
export interface BatchLayout {
  readonly wires: readonly WireType[];
  /** The largest number of rows in a batch. */
  readonly rows: number;
  /** The number of batches in the ring. */
  readonly slots: number;
  readonly offsets: readonly ColumnOffsets[];
  readonly batchBytes: number;
  readonly heapBytes: number;
}

/** The capacity of a DuckDB vector. */
const vectorRows = 2048;
/** Enough for the reader and DuckDB to work at their own speed. More slots were not faster. */
const maxSlots = 16;
const minSlots = 4;
/** Wide tables get fewer and shorter batches, so that a ring stays below this size. */
const ringBytes = 48 * 2 ** 20;
/** Heap space per row. A batch whose heap is full is published with fewer rows. */
const heapBytesPerRow = 64;

export function batchLayout(wires: readonly WireType[]): BatchLayout {
  let layout = layoutWithRows(wires, vectorRows);
  while (layout.batchBytes * minSlots > ringBytes && layout.rows > 64)
    layout = layoutWithRows(wires, layout.rows / 2);
  return layout;
}

function layoutWithRows(wires: readonly WireType[], rows: number): BatchLayout {
  const heapBytes = heapBytesPerRow * rows;
  let batchBytes = 0;
  const allocate = (bytes: number) => {
    const at = batchBytes;
    batchBytes += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const offsets = wires.map((wire) => ({
    values: allocate(rows * wire.width),
    validity: allocate(rows / 8),
    heap: allocate(hasHeap(wire) ? heapBytes : 0),
  }));
  const slots = Math.max(minSlots, Math.min(maxSlots, Math.floor(ringBytes / Math.max(1, batchBytes))));
  return { wires, rows, slots, offsets, batchBytes, heapBytes };
}

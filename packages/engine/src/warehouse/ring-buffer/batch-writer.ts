import type { MessagePort } from "node:worker_threads";
import type { BatchLayout } from "./batch-layout.ts";
import { copyBytes } from "./copy-bytes.ts";
import { type GrownHeap, RingBuffer, type RowBatch, type SharedRing } from "./ring-buffer.ts";
import { hasHeap } from "./wire-type.ts";

/** Longer text is stored in the heap. */
const inlineBytes = 12;

/**
 * Writes rows into the batches of a ring buffer, value by value. The views span the whole ring, so a value is one store at
 * an index that depends on `row`. The caller waits for free space before each row.
 */
export class BatchWriter {
  readonly ring: RingBuffer;
  readonly layout: BatchLayout;
  readonly bytes: Buffer;
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly int64: BigInt64Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  /** Offset of each column's values in the current batch, in bytes. */
  readonly values: Int32Array;
  /** The current row of the batch. */
  row = 0;
  /** Bytes read from the source for the rows of this batch. */
  received = 0;
  readonly #port: MessagePort;
  readonly #validity: Int32Array;
  readonly #nulls: Int32Array;
  readonly #used: Int32Array;
  readonly #heaps: Buffer[];
  readonly #grown = new Map<number, SharedArrayBuffer>();
  #batch: RowBatch | undefined;
  #isHeapFull = false;

  constructor(shared: SharedRing) {
    const { memory, port } = shared;
    this.ring = new RingBuffer(shared);
    this.layout = this.ring.layout;
    this.#port = port;
    this.bytes = Buffer.from(memory);
    this.int16 = new Int16Array(memory);
    this.int32 = new Int32Array(memory);
    this.int64 = new BigInt64Array(memory);
    this.float32 = new Float32Array(memory);
    this.float64 = new Float64Array(memory);
    const columns = this.layout.wires.length;
    this.values = new Int32Array(columns);
    this.#validity = new Int32Array(columns);
    this.#nulls = new Int32Array(columns);
    this.#used = new Int32Array(columns);
    this.#heaps = this.layout.wires.map(() => this.bytes.subarray(0, 0));
  }

  /** Whether a row can be written without waiting. */
  get hasSpace(): boolean {
    return this.#batch !== undefined || !this.ring.isFull;
  }

  /** Call it before each row, when there is space. */
  beginRow(): void {
    if (!this.#batch) this.#open();
  }

  /** Completes the row. */
  endRow(): void {
    this.row += 1;
    if (this.row === this.layout.rows || this.#isHeapFull) this.flush();
  }

  setNull(column: number): void {
    const at = (this.#validity[column] ?? 0) + (this.row >> 3);
    this.bytes[at] = (this.bytes[at] ?? 0) & ~(1 << (this.row & 7));
    this.#nulls[column] = (this.#nulls[column] ?? 0) + 1;
    // DuckDB may read the length of a text that is NULL.
    if (this.layout.wires[column]?.width === 16) {
      this.int32.fill(0, this.#entry(column), this.#entry(column) + 4);
    }
  }

  setBytes(column: number, from: Buffer, start: number, length: number): void {
    const entry = this.#entry(column);
    this.int32[entry] = length;
    const at = entry * 4 + 4;
    if (length <= inlineBytes) {
      this.int32[entry + 1] = 0;
      this.int32[entry + 2] = 0;
      this.int32[entry + 3] = 0;
      for (let i = 0; i < length; i++) this.bytes[at + i] = from[start + i] ?? 0;
      return;
    }
    for (let i = 0; i < 4; i++) this.bytes[at + i] = from[start + i] ?? 0;
    const used = this.#reserve(column, length);
    this.int32[entry + 2] = used;
    copyBytes(from, start, length, this.#heaps[column] as Buffer, used);
  }

  setText(column: number, text: string): void {
    // UTF-8 needs at most three bytes per UTF-16 unit. Unused space is returned.
    const used = this.#reserve(column, text.length * 3);
    const heap = this.#heaps[column] as Buffer;
    const length = heap.write(text, used, "utf8");
    this.#used[column] = used;
    if (length <= inlineBytes) {
      this.setBytes(column, heap, used, length);
      return;
    }
    this.#used[column] = used + length;
    const entry = this.#entry(column);
    this.int32[entry] = length;
    heap.copy(this.bytes, entry * 4 + 4, used, used + 4);
    this.int32[entry + 2] = used;
  }

  /** Drops the current row. The heap space that it used is lost. */
  discardRow(): void {
    for (const at of this.#validity) {
      this.bytes[at + (this.row >> 3)] = (this.bytes[at + (this.row >> 3)] ?? 0) | (1 << (this.row & 7));
    }
    if (this.#isHeapFull) this.flush();
  }

  /** Publishes the rows written so far. */
  flush(): void {
    const batch = this.#batch;
    if (!batch || this.row === 0) return;
    batch.describe(this.row, this.received);
    for (let column = 0; column < this.layout.wires.length; column++) {
      batch.describeColumn(
        column,
        this.#used[column] ?? 0,
        this.#grown.has(column),
        this.#nulls[column] ?? 0,
      );
    }
    for (const [column, bytes] of this.#grown) {
      this.#port.postMessage({ column, bytes } satisfies GrownHeap);
    }
    this.#batch = undefined;
    this.row = 0;
    this.received = 0;
    this.ring.publish();
  }

  end(): void {
    this.flush();
    this.ring.end();
  }

  #open(): void {
    const batch = this.ring.nextToWrite;
    this.#batch = batch;
    this.#nulls.fill(0);
    this.#used.fill(0);
    this.#grown.clear();
    this.#isHeapFull = false;
    const { wires, offsets, rows, heapBytes } = this.layout;
    for (const [column, offset] of offsets.entries()) {
      this.values[column] = batch.start + offset.values;
      this.#validity[column] = batch.start + offset.validity;
      this.bytes.fill(255, batch.start + offset.validity, batch.start + offset.validity + rows / 8);
      const heap = batch.start + offset.heap;
      if (wires[column] && hasHeap(wires[column])) {
        this.#heaps[column] = this.bytes.subarray(heap, heap + heapBytes);
      }
    }
  }

  #entry(column: number): number {
    return ((this.values[column] ?? 0) >> 2) + this.row * 4;
  }

  /**
   * Reserves space at the end of the column's heap. A long value makes the heap grow; the batch is then published after
   * this row.
   */
  #reserve(column: number, length: number): number {
    const used = this.#used[column] ?? 0;
    const heap = this.#heaps[column] as Buffer;
    if (used + length > heap.length) {
      const grown = new SharedArrayBuffer((used + length) * 2);
      const bytes = Buffer.from(grown);
      heap.copy(bytes, 0, 0, used);
      this.#heaps[column] = bytes;
      this.#grown.set(column, grown);
    }
    this.#used[column] = used + length;
    if (used + length > this.layout.heapBytes * 0.75) this.#isHeapFull = true;
    return used;
  }
}

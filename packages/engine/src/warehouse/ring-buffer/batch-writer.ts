import type { MessagePort } from "node:worker_threads";
import type { BatchLayout } from "./batch-layout.ts";
import { copyBytes } from "./copy-bytes.ts";
import { type Batch, type GrownHeap, RingBuffer, type SharedRing } from "./ring-buffer.ts";
import { hasHeap } from "./wire-type.ts";

/** Longer text does not fit into its entry. */
const inlineBytes = 12;

/**
 * Writes rows into the parts of a ring, value by value: `row` says where, and the views span the whole ring, so that a value
 * is one store. Whoever writes sees to it that there is room before a row begins.
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
  /** Where the values of each column begin in the present part, in bytes. */
  readonly values: Int32Array;
  /** The row that is being written. */
  row = 0;
  /** Came from the other side for the rows of this part. */
  received = 0;
  readonly #port: MessagePort;
  readonly #validity: Int32Array;
  readonly #nulls: Int32Array;
  readonly #used: Int32Array;
  readonly #heaps: Buffer[];
  readonly #grown = new Map<number, SharedArrayBuffer>();
  #part: Batch | undefined;
  #isHeapFull = false;

  constructor(sharing: SharedRing) {
    const { memory, port } = sharing;
    this.ring = new RingBuffer(sharing);
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
    return this.#part !== undefined || !this.ring.isFull;
  }

  /** To be called before each row, when there is room. */
  beginRow(): void {
    if (!this.#part) this.#open();
  }

  /** The row is whole. */
  endRow(): void {
    this.row += 1;
    if (this.row === this.layout.rows || this.#isHeapFull) this.flush();
  }

  setNull(column: number): void {
    const at = (this.#validity[column] ?? 0) + (this.row >> 3);
    this.bytes[at] = (this.bytes[at] ?? 0) & ~(1 << (this.row & 7));
    this.#nulls[column] = (this.#nulls[column] ?? 0) + 1;
    // Under a null, DuckDB may still look at the length of a text.
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
    // UTF-8 has at most three bytes for each UTF-16 unit. What was not needed is given back.
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

  /** The row is not to go after all. What it has of a heap stays unused. */
  discardRow(): void {
    for (const at of this.#validity) {
      this.bytes[at + (this.row >> 3)] = (this.bytes[at + (this.row >> 3)] ?? 0) | (1 << (this.row & 7));
    }
    if (this.#isHeapFull) this.flush();
  }

  /** Gives what is written to the other side. */
  flush(): void {
    const part = this.#part;
    if (!part || this.row === 0) return;
    part.describe(this.row, this.received);
    for (let column = 0; column < this.layout.wires.length; column++) {
      part.describeColumn(column, this.#used[column] ?? 0, this.#grown.has(column), this.#nulls[column] ?? 0);
    }
    for (const [column, bytes] of this.#grown) {
      this.#port.postMessage({ column, bytes } satisfies GrownHeap);
    }
    this.#part = undefined;
    this.row = 0;
    this.received = 0;
    this.ring.publish();
  }

  end(): void {
    this.flush();
    this.ring.end();
  }

  #open(): void {
    const part = this.ring.nextToWrite;
    this.#part = part;
    this.#nulls.fill(0);
    this.#used.fill(0);
    this.#grown.clear();
    this.#isHeapFull = false;
    const { wires, offsets: places, rows, heapBytes } = this.layout;
    for (const [column, place] of places.entries()) {
      this.values[column] = part.start + place.values;
      this.#validity[column] = part.start + place.validity;
      this.bytes.fill(255, part.start + place.validity, part.start + place.validity + rows / 8);
      const heap = part.start + place.heap;
      if (wires[column] && hasHeap(wires[column])) {
        this.#heaps[column] = this.bytes.subarray(heap, heap + heapBytes);
      }
    }
  }

  #entry(column: number): number {
    return ((this.values[column] ?? 0) >> 2) + this.row * 4;
  }

  /** Room at the end of the column's heap; one long value makes it grow, and the part goes after this row. */
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

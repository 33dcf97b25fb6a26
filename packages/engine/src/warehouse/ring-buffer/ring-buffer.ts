import type { MessagePort } from "node:worker_threads";
import { type BatchLayout, batchLayout } from "./batch-layout.ts";
import type { WireType } from "./wire-type.ts";

/** What two threads share: one writes batches of rows, the other reads them in the same order. */
export interface SharedRing {
  readonly wires: readonly WireType[];
  readonly memory: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
  /** For heaps that do not fit into their batch. */
  readonly port: MessagePort;
}

/** A heap that does not fit into its batch. It replaces the column's heap in the batch that is published next. */
export interface GrownHeap {
  readonly column: number;
  readonly bytes: SharedArrayBuffer;
}

/** Cells of the control memory: batches published, batches released, whether the writer has ended. */
const published = 0;
const released = 1;
const ended = 2;
/** Increases with every change that the reader may wait for. */
const changes = 3;
const controlCells = 4;

/** A ring buffer in shared memory. A batch becomes visible to the other thread as a whole, by one atomic operation. */
export class RingBuffer {
  readonly layout: BatchLayout;
  readonly memory: SharedArrayBuffer;
  readonly #control: Int32Array<SharedArrayBuffer>;

  constructor({ wires, memory, control }: Omit<SharedRing, "port">) {
    this.layout = batchLayout(wires);
    this.memory = memory;
    this.#control = new Int32Array(control);
  }

  static share(wires: readonly WireType[]): Omit<SharedRing, "port"> {
    const { slots, batchBytes } = batchLayout(wires);
    const cells = controlCells + slots * batchCells(wires.length);
    return {
      wires,
      memory: new SharedArrayBuffer(slots * batchBytes),
      control: new SharedArrayBuffer(cells * 4),
    };
  }

  /** The number of batches that are ready to be read. */
  get waiting(): number {
    return Atomics.load(this.#control, published) - Atomics.load(this.#control, released);
  }

  get isEnded(): boolean {
    return Atomics.load(this.#control, ended) === 1;
  }

  get isFull(): boolean {
    return this.waiting >= this.layout.slots;
  }

  /** The slot to write next. It is free only if the ring is not full. */
  get nextToWrite(): RowBatch {
    return this.#batch(Atomics.load(this.#control, published));
  }

  /** The slot to read next. */
  get nextToRead(): RowBatch {
    return this.#batch(Atomics.load(this.#control, released));
  }

  publish(): void {
    Atomics.add(this.#control, published, 1);
    this.#notifyReader();
  }

  end(): void {
    Atomics.store(this.#control, ended, 1);
    this.#notifyReader();
  }

  release(): void {
    Atomics.add(this.#control, released, 1);
    Atomics.notify(this.#control, released);
  }

  /** Blocks this thread until there is a batch, the writer has ended, or the time is over. */
  waitForBatch(milliseconds: number): void {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const expected = Atomics.load(this.#control, changes);
      const left = deadline - performance.now();
      if (this.waiting > 0 || this.isEnded || left <= 0) return;
      Atomics.wait(this.#control, changes, expected, left);
    }
  }

  /** Fulfilled when this many batches are ready, or the writer has ended. */
  async batchesReady(batches: number): Promise<void> {
    for (;;) {
      const expected = Atomics.load(this.#control, changes);
      if (this.waiting >= batches || this.isEnded) return;
      await Atomics.waitAsync(this.#control, changes, expected).value;
    }
  }

  /** Blocks this thread until a slot is free. */
  waitForSpace(): void {
    for (;;) {
      const expected = Atomics.load(this.#control, released);
      if (!this.isFull) return;
      Atomics.wait(this.#control, released, expected);
    }
  }

  /** Fulfilled when a slot is free. */
  async spaceAvailable(): Promise<void> {
    for (;;) {
      const expected = Atomics.load(this.#control, released);
      if (!this.isFull) return;
      await Atomics.waitAsync(this.#control, released, expected).value;
    }
  }

  #notifyReader(): void {
    Atomics.add(this.#control, changes, 1);
    Atomics.notify(this.#control, changes);
  }

  #batch(count: number): RowBatch {
    const slot = count % this.layout.slots;
    const width = batchCells(this.layout.wires.length);
    const start = controlCells + slot * width;
    return new RowBatch(this.#control.subarray(start, start + width), slot * this.layout.batchBytes);
  }
}

/** Control cells of a batch: rows, two for the bytes, and three for each column. */
const columnCells = 3;
const batchCells = (columns: number): number => columnCells + 3 * columns;
/** A cell holds 31 bits. The bytes of a batch may be those of a whole file. */
const cellValues = 2 ** 31;

/** One slot of the ring: the number of its rows, and the state of each column. */
export class RowBatch {
  /** The offset of the slot in the shared memory. */
  readonly start: number;
  readonly #cells: Int32Array<SharedArrayBuffer>;

  constructor(cells: Int32Array<SharedArrayBuffer>, start: number) {
    this.#cells = cells;
    this.start = start;
  }

  get rows(): number {
    return this.#cells[0] ?? 0;
  }
  /** Bytes read from the source for these rows. */
  get bytes(): number {
    return (this.#cells[1] ?? 0) + (this.#cells[2] ?? 0) * cellValues;
  }
  heapUsed(column: number): number {
    return this.#cells[columnCells + 3 * column] ?? 0;
  }
  /** Whether the column's heap was sent as a message, because it did not fit. */
  isGrown(column: number): boolean {
    return this.#cells[columnCells + 1 + 3 * column] === 1;
  }
  nulls(column: number): number {
    return this.#cells[columnCells + 2 + 3 * column] ?? 0;
  }

  describe(rows: number, bytes: number): void {
    this.#cells[0] = rows;
    this.#cells[1] = bytes % cellValues;
    this.#cells[2] = Math.floor(bytes / cellValues);
  }
  describeColumn(column: number, heapUsed: number, isGrown: boolean, nulls: number): void {
    this.#cells[columnCells + 3 * column] = heapUsed;
    this.#cells[columnCells + 1 + 3 * column] = isGrown ? 1 : 0;
    this.#cells[columnCells + 2 + 3 * column] = nulls;
  }
}

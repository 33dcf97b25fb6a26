import type { MessagePort } from "node:worker_threads";
import { type Layout, layoutOf } from "./batch-layout.ts";
import type { Wire } from "./wire-type.ts";

/** What the two threads share: one writes parts, the other takes them in the same order. */
export interface Sharing {
  readonly wires: readonly Wire[];
  readonly memory: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
  /** For heaps that have outgrown their place in a part. */
  readonly port: MessagePort;
}

/** A heap that has outgrown its place: it replaces that of the column in the part that is published next. */
export interface GrownHeap {
  readonly column: number;
  readonly bytes: SharedArrayBuffer;
}

const produced = 0;
const consumed = 1;
const ended = 2;
/** Grows with all that the taking side may wait for. */
const changes = 3;
const fixed = 4;

/** Counts of the ring and of its parts. Only whole parts are seen by the other side: the last step is an atomic one. */
export class Ring {
  readonly layout: Layout;
  readonly memory: SharedArrayBuffer;
  readonly #control: Int32Array<SharedArrayBuffer>;

  constructor({ wires, memory, control }: Omit<Sharing, "port">) {
    this.layout = layoutOf(wires);
    this.memory = memory;
    this.#control = new Int32Array(control);
  }

  static share(wires: readonly Wire[]): Omit<Sharing, "port"> {
    const { slots, partBytes } = layoutOf(wires);
    const cells = fixed + slots * cellsOf(wires.length);
    return {
      wires,
      memory: new SharedArrayBuffer(slots * partBytes),
      control: new SharedArrayBuffer(cells * 4),
    };
  }

  /** Parts that wait to be taken. */
  get waiting(): number {
    return Atomics.load(this.#control, produced) - Atomics.load(this.#control, consumed);
  }

  get isEnded(): boolean {
    return Atomics.load(this.#control, ended) === 1;
  }

  get isFull(): boolean {
    return this.waiting >= this.layout.slots;
  }

  /** The slot that is written next. It is free only when the ring is not full. */
  get writing(): Part {
    return this.#part(Atomics.load(this.#control, produced));
  }

  /** The slot that is taken next. */
  get taking(): Part {
    return this.#part(Atomics.load(this.#control, consumed));
  }

  publish(): void {
    Atomics.add(this.#control, produced, 1);
    this.#changed();
  }

  end(): void {
    Atomics.store(this.#control, ended, 1);
    this.#changed();
  }

  release(): void {
    Atomics.add(this.#control, consumed, 1);
    Atomics.notify(this.#control, consumed);
  }

  /** Blocks this thread until a part is there or the end, but no longer than that. */
  waitForPart(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    for (;;) {
      const seen = Atomics.load(this.#control, changes);
      const left = until - performance.now();
      if (this.waiting > 0 || this.isEnded || left <= 0) return;
      Atomics.wait(this.#control, changes, seen, left);
    }
  }

  /** Until so many parts are there, or the end. */
  async gathered(parts: number): Promise<void> {
    for (;;) {
      const seen = Atomics.load(this.#control, changes);
      if (this.waiting >= parts || this.isEnded) return;
      await Atomics.waitAsync(this.#control, changes, seen).value;
    }
  }

  /** Blocks this thread until a slot is free. */
  waitForRoom(): void {
    for (;;) {
      const seen = Atomics.load(this.#control, consumed);
      if (!this.isFull) return;
      Atomics.wait(this.#control, consumed, seen);
    }
  }

  async room(): Promise<void> {
    for (;;) {
      const seen = Atomics.load(this.#control, consumed);
      if (!this.isFull) return;
      await Atomics.waitAsync(this.#control, consumed, seen).value;
    }
  }

  #changed(): void {
    Atomics.add(this.#control, changes, 1);
    Atomics.notify(this.#control, changes);
  }

  #part(count: number): Part {
    const slot = count % this.layout.slots;
    const width = cellsOf(this.layout.wires.length);
    const start = fixed + slot * width;
    return new Part(this.#control.subarray(start, start + width), slot * this.layout.partBytes);
  }
}

/** Of a part: rows, bytes, and three for each column. */
const cellsOf = (columns: number): number => 2 + 3 * columns;

/** One slot of the ring: how many rows it holds, and what there is to know of each column. */
export class Part {
  /** Where it begins in the shared memory. */
  readonly start: number;
  readonly #cells: Int32Array<SharedArrayBuffer>;

  constructor(cells: Int32Array<SharedArrayBuffer>, start: number) {
    this.#cells = cells;
    this.start = start;
  }

  get rows(): number {
    return this.#cells[0] ?? 0;
  }
  /** As many came from the other side for these rows. */
  get bytes(): number {
    return this.#cells[1] ?? 0;
  }
  heapUsed(column: number): number {
    return this.#cells[2 + 3 * column] ?? 0;
  }
  /** Its heap is a larger one, which was sent. */
  isGrown(column: number): boolean {
    return this.#cells[3 + 3 * column] === 1;
  }
  nulls(column: number): number {
    return this.#cells[4 + 3 * column] ?? 0;
  }

  describe(rows: number, bytes: number): void {
    this.#cells[0] = rows;
    this.#cells[1] = bytes;
  }
  describeColumn(column: number, heapUsed: number, isGrown: boolean, nulls: number): void {
    this.#cells[2 + 3 * column] = heapUsed;
    this.#cells[3 + 3 * column] = isGrown ? 1 : 0;
    this.#cells[4 + 3 * column] = nulls;
  }
}

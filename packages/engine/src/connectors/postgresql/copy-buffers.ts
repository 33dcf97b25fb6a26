/** The payload of a CopyData frame. Larger frames were not faster, smaller ones were slower. */
const bufferBytes = 256 * 1024;

/** Buffers to send, filled row by row. A row is never split over two buffers. */
export class CopyBuffers {
  bytes = Buffer.allocUnsafeSlow(bufferBytes);
  view = viewOf(this.bytes);
  /** The end of the written part of the current buffer. */
  used = 0;
  #full: Buffer[] = [];

  /** Reserves this many bytes and returns their offset. */
  reserve(size: number): number {
    if (this.used + size <= this.bytes.length) return this.used;
    if (this.used > 0) this.#full.push(this.bytes.subarray(0, this.used));
    this.bytes = Buffer.allocUnsafeSlow(Math.max(bufferBytes, size));
    this.view = viewOf(this.bytes);
    this.used = 0;
    return 0;
  }

  takeFull(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  takeRest(): Buffer[] {
    return [...this.takeFull(), this.bytes.subarray(0, this.used)];
  }
}

const viewOf = (bytes: Buffer) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

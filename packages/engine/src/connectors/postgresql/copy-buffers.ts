/** What a CopyData frame carries: larger frames were not faster, smaller ones were slower. */
const bufferBytes = 256 * 1024;

/** Bytes to send, written one row after the other. A row never lies in two buffers. */
export class CopyBuffers {
  bytes = Buffer.allocUnsafeSlow(bufferBytes);
  view = viewOf(this.bytes);
  /** To where the present buffer is written. */
  used = 0;
  #full: Buffer[] = [];

  /** Room for so many bytes; answers where it begins. */
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

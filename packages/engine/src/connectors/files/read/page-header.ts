/** A page of a column in a Parquet file, as described by its header (Thrift's compact protocol, parquet.thrift). */
export interface PageHeader {
  /** The bytes of the header. */
  readonly length: number;
  readonly bytes: number;
  /** CRC-32 of the bytes after the header; absent if the writer made none. */
  readonly checksum: number | undefined;
}

const compressedSize = 3;
const checksumField = 4;
/** Wire types: integers of 16, 32 and 64 bits, and what has to be skipped. */
const wire = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
};

/** Undefined if the bytes are no header, or end within it. */
export function readPageHeader(bytes: Uint8Array): PageHeader | undefined {
  const reader = new CompactReader(bytes);
  const found = reader.integers();
  const size = found?.get(compressedSize);
  if (found === undefined || size === undefined || size < 0) return undefined;
  const checksum = found.get(checksumField);
  return {
    length: reader.at,
    bytes: size,
    checksum: checksum === undefined ? undefined : checksum >>> 0,
  };
}

/** No page header has structs nested more deeply. */
const deepest = 8;

class CompactReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The integers among the fields of a struct; undefined if the bytes are not a struct. */
  integers(depth = 0): Map<number, number> | undefined {
    const found = new Map<number, number>();
    let field = 0;
    for (;;) {
      const head = this.#byte();
      if (head === undefined || depth > deepest) return undefined;
      if (head === 0) return found;
      const [delta, type] = [head >> 4, head & 15];
      const id = delta === 0 ? this.#integer() : field + delta;
      if (id === undefined) return undefined;
      field = id;
      if (type === wire.i16 || type === wire.i32 || type === wire.i64) {
        const value = this.#integer();
        if (value === undefined) return undefined;
        found.set(field, value);
      } else if (!this.#skip(type, depth)) return undefined;
    }
  }

  /** Skips statistics and levels. A page header has no lists, sets or maps. */
  #skip(type: number, depth: number): boolean {
    if (type === wire.true || type === wire.false) return true;
    if (type === wire.byte) return this.#byte() !== undefined;
    if (type === wire.struct) return this.integers(depth + 1) !== undefined;
    if (type === wire.double) return this.#advance(8);
    const length = type === wire.binary ? this.#unsigned() : undefined;
    return length !== undefined && this.#advance(length);
  }

  #advance(count: number): boolean {
    this.at += count;
    return this.at <= this.#bytes.length;
  }

  #byte(): number | undefined {
    return this.#bytes[this.at++];
  }

  #unsigned(): number | undefined {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const next = this.#byte();
      if (next === undefined) return undefined;
      value += (next & 127) * 2 ** shift;
      if (next < 128) return value;
    }
    return undefined;
  }

  /** Zigzag: the sign is the last bit. */
  #integer(): number | undefined {
    const value = this.#unsigned();
    return value === undefined ? undefined : value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

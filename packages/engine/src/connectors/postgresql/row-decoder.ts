import { isUtf8 } from "node:buffer";
import type { BatchWriter } from "../../warehouse/ring-buffer/batch-writer.ts";
import type { WireType } from "../../warehouse/ring-buffer/wire-type.ts";
import { isFiniteNumeric, scaledBigInt, scaledNumber } from "./numeric-decoding.ts";

/** Days and microseconds between 1970, DuckDB's epoch, and 2000, PostgreSQL's. */
const daysTo2000 = 10_957;
const microsTo2000 = 946_684_800_000_000;
const epochHigh = Math.floor(microsTo2000 / 2 ** 32);
const epochLow = microsTo2000 % 2 ** 32;

export interface DecodeOptions {
  /** By column: bytes before the value. */
  readonly skip: readonly number[];
  /** Check that text is UTF-8, because the server does not guarantee it. */
  readonly checkText: boolean;
}

/** The column whose value cannot be stored, and the reason. */
export interface FieldRefusal {
  readonly column: number;
  readonly reason: string;
}

/** Decodes rows of `COPY (FORMAT binary)` into the memory of DuckDB's vectors without creating JavaScript values. */
export class RowDecoder {
  readonly #batches: BatchWriter;
  readonly #wires: readonly WireType[];
  readonly #skip: readonly number[];
  readonly #checkText: boolean;

  constructor(batches: BatchWriter, { skip, checkText }: DecodeOptions) {
    this.#batches = batches;
    this.#wires = batches.layout.wires;
    this.#skip = skip;
    this.#checkText = checkText;
  }

  /** Decodes a row from its field count on. The batch must have space for it. */
  row(bytes: Buffer, view: DataView, start: number): FieldRefusal | undefined {
    const batches = this.#batches;
    batches.beginRow();
    let at = start + 2;
    for (let column = 0; column < this.#wires.length; column++) {
      const length = view.getInt32(at);
      at += 4;
      if (length === -1) {
        batches.setNull(column);
        continue;
      }
      const reason = this.#field(column, bytes, view, at, length);
      if (reason !== undefined) {
        batches.discardRow();
        return { column, reason };
      }
      at += length;
    }
    batches.endRow();
    return undefined;
  }

  #field(column: number, bytes: Buffer, view: DataView, at: number, length: number): string | undefined {
    const batches = this.#batches;
    const wire = this.#wires[column] as WireType;
    const offset = batches.values[column] ?? 0;
    const { row } = batches;
    switch (wire.kind) {
      case "VARCHAR":
      case "JSON": {
        const skip = this.#skip[column] ?? 0;
        if (this.#checkText && !isUtf8(bytes.subarray(at + skip, at + length)))
          return "the text is not UTF-8";
        batches.setBytes(column, bytes, at + skip, length - skip);
        return undefined;
      }
      case "BLOB":
        batches.setBytes(column, bytes, at, length);
        return undefined;
      case "INTEGER":
      case "FLOAT":
        batches.int32[(offset >> 2) + row] = view.getInt32(at);
        return undefined;
      case "BIGINT":
      case "DOUBLE":
      case "TIME": {
        const slot = (offset >> 2) + row * 2;
        batches.int32[slot] = view.getInt32(at + 4);
        batches.int32[slot + 1] = view.getInt32(at);
        return undefined;
      }
      case "DECIMAL":
        return this.#decimal(wire, offset, view, at);
      case "TIMESTAMP":
      case "TIMESTAMP WITH TIME ZONE":
        return setTimestamp(batches.int32, (offset >> 2) + row * 2, view, at);
      case "DATE":
        batches.int32[(offset >> 2) + row] = dayOf(view.getInt32(at));
        return undefined;
      case "BOOLEAN":
        batches.bytes[offset + row] = bytes[at] ?? 0;
        return undefined;
      case "SMALLINT":
        batches.int16[(offset >> 1) + row] = view.getInt16(at);
        return undefined;
      case "UUID": {
        const slot = (offset >> 2) + row * 4;
        batches.int32[slot] = view.getInt32(at + 12);
        batches.int32[slot + 1] = view.getInt32(at + 8);
        batches.int32[slot + 2] = view.getInt32(at + 4);
        // DuckDB flips the first bit, so that UUIDs sort like their text.
        batches.int32[slot + 3] = view.getInt32(at) ^ 0x8000_0000;
        return undefined;
      }
      case "INTERVAL": {
        const [days, months] = [view.getInt32(at + 8), view.getInt32(at + 12)];
        if (Math.abs(months) >= 0x7fff_ffff && Math.abs(days) >= 0x7fff_ffff)
          return "the interval is infinite";
        const slot = (offset >> 2) + row * 4;
        batches.int32[slot] = months;
        batches.int32[slot + 1] = days;
        batches.int32[slot + 2] = view.getInt32(at + 4);
        batches.int32[slot + 3] = view.getInt32(at);
        return undefined;
      }
      case "HUGEINT":
        throw new Error("PostgreSQL has no HUGEINT.");
    }
  }

  #decimal(
    { width, precision, scale }: WireType,
    offset: number,
    view: DataView,
    at: number,
  ): string | undefined {
    if (!isFiniteNumeric(view, at)) return "NaN and infinity are not decimal numbers";
    const { int16, int32, int64, row } = this.#batches;
    if (precision > 15) {
      const value = scaledBigInt(view, at, scale);
      const slot = (offset >> 3) + row * (width >> 3);
      int64[slot] = BigInt.asIntN(64, value);
      if (width === 16) int64[slot + 1] = value >> 64n;
      return undefined;
    }
    const value = scaledNumber(view, at, scale);
    if (width === 2) int16[(offset >> 1) + row] = value;
    else if (width === 4) int32[(offset >> 2) + row] = value;
    else {
      const high = Math.floor(value / 2 ** 32);
      int32[(offset >> 2) + row * 2] = value - high * 2 ** 32;
      int32[(offset >> 2) + row * 2 + 1] = high;
    }
    return undefined;
  }
}

/** In PostgreSQL, the infinities are the ends of the range. In DuckDB, they are equally far from zero. */
export function dayOf(days: number): number {
  if (days === 0x7fff_ffff) return days;
  return days === -0x8000_0000 ? -0x7fff_ffff : days + daysTo2000;
}

/**
 * Converts microseconds since 2000, as two halves, to microseconds since 1970. PostgreSQL's times end in 294276, DuckDB's
 * thirty years earlier.
 */
function setTimestamp(int32: Int32Array, slot: number, view: DataView, at: number): string | undefined {
  const high = view.getInt32(at);
  const low = view.getUint32(at + 4);
  if (high === 0x7fff_ffff && low === 0xffff_ffff) {
    int32[slot] = -1;
    int32[slot + 1] = 0x7fff_ffff;
    return undefined;
  }
  if (high === -0x8000_0000 && low === 0) {
    int32[slot] = 1;
    int32[slot + 1] = -0x8000_0000;
    return undefined;
  }
  const sum = low + epochLow;
  const sumHigh = high + epochHigh + (sum >= 2 ** 32 ? 1 : 0);
  if (sumHigh > 0x7fff_ffff || (sumHigh === 0x7fff_ffff && sum % 2 ** 32 === 0xffff_ffff)) {
    return "the time is after the warehouse's range (294247-01-10)";
  }
  int32[slot] = sum;
  int32[slot + 1] = sumHigh;
  return undefined;
}

import { isUtf8 } from "node:buffer";
import type { BatchWriter } from "../../warehouse/ring-buffer/batch-writer.ts";
import type { WireType } from "../../warehouse/ring-buffer/wire-type.ts";
import { isFiniteNumeric, scaledBigInt, scaledNumber } from "./numeric-decoding.ts";

/** Days and microseconds between 1970, where DuckDB begins, and 2000, where PostgreSQL does. */
const daysTo2000 = 10_957;
const microsTo2000 = 946_684_800_000_000;
const epochHigh = Math.floor(microsTo2000 / 2 ** 32);
const epochLow = microsTo2000 % 2 ** 32;

export interface DecodeOptions {
  /** By column: bytes before the value. */
  readonly skip: readonly number[];
  /** The server does not promise that its text is UTF-8. */
  readonly checkText: boolean;
}

/** The field's number where it cannot be kept, and why. */
export interface FieldRefusal {
  readonly column: number;
  readonly reason: string;
}

/** Decodes rows of `COPY (FORMAT binary)` into the memory of DuckDB's vectors: no value of JavaScript is made on the way. */
export class RowDecoder {
  readonly #parts: BatchWriter;
  readonly #wires: readonly WireType[];
  readonly #skip: readonly number[];
  readonly #checkText: boolean;

  constructor(parts: BatchWriter, { skip, checkText }: DecodeOptions) {
    this.#parts = parts;
    this.#wires = parts.layout.wires;
    this.#skip = skip;
    this.#checkText = checkText;
  }

  /** A row from its count of fields on. The part must have room for it. */
  row(bytes: Buffer, view: DataView, start: number): FieldRefusal | undefined {
    const parts = this.#parts;
    parts.beginRow();
    let at = start + 2;
    for (let column = 0; column < this.#wires.length; column++) {
      const length = view.getInt32(at);
      at += 4;
      if (length === -1) {
        parts.setNull(column);
        continue;
      }
      const reason = this.#field(column, bytes, view, at, length);
      if (reason !== undefined) {
        parts.discardRow();
        return { column, reason };
      }
      at += length;
    }
    parts.endRow();
    return undefined;
  }

  #field(column: number, bytes: Buffer, view: DataView, at: number, length: number): string | undefined {
    const parts = this.#parts;
    const wire = this.#wires[column] as WireType;
    const place = parts.values[column] ?? 0;
    const { row } = parts;
    switch (wire.kind) {
      case "VARCHAR":
      case "JSON": {
        const skip = this.#skip[column] ?? 0;
        if (this.#checkText && !isUtf8(bytes.subarray(at + skip, at + length)))
          return "the text is not UTF-8";
        parts.setBytes(column, bytes, at + skip, length - skip);
        return undefined;
      }
      case "BLOB":
        parts.setBytes(column, bytes, at, length);
        return undefined;
      case "INTEGER":
      case "FLOAT":
        parts.int32[(place >> 2) + row] = view.getInt32(at);
        return undefined;
      case "BIGINT":
      case "DOUBLE":
      case "TIME": {
        const slot = (place >> 2) + row * 2;
        parts.int32[slot] = view.getInt32(at + 4);
        parts.int32[slot + 1] = view.getInt32(at);
        return undefined;
      }
      case "DECIMAL":
        return this.#decimal(wire, place, view, at);
      case "TIMESTAMP":
      case "TIMESTAMP WITH TIME ZONE":
        return setMoment(parts.int32, (place >> 2) + row * 2, view, at);
      case "DATE":
        parts.int32[(place >> 2) + row] = dayOf(view.getInt32(at));
        return undefined;
      case "BOOLEAN":
        parts.bytes[place + row] = bytes[at] ?? 0;
        return undefined;
      case "SMALLINT":
        parts.int16[(place >> 1) + row] = view.getInt16(at);
        return undefined;
      case "UUID": {
        const slot = (place >> 2) + row * 4;
        parts.int32[slot] = view.getInt32(at + 12);
        parts.int32[slot + 1] = view.getInt32(at + 8);
        parts.int32[slot + 2] = view.getInt32(at + 4);
        // DuckDB turns the first bit, so that numbers sort as texts do.
        parts.int32[slot + 3] = view.getInt32(at) ^ 0x8000_0000;
        return undefined;
      }
      case "INTERVAL": {
        const [days, months] = [view.getInt32(at + 8), view.getInt32(at + 12)];
        if (Math.abs(months) >= 0x7fff_ffff && Math.abs(days) >= 0x7fff_ffff)
          return "the interval is infinite";
        const slot = (place >> 2) + row * 4;
        parts.int32[slot] = months;
        parts.int32[slot + 1] = days;
        parts.int32[slot + 2] = view.getInt32(at + 4);
        parts.int32[slot + 3] = view.getInt32(at);
        return undefined;
      }
      case "HUGEINT":
        throw new Error("PostgreSQL has no such type.");
    }
  }

  #decimal(
    { width, precision, scale }: WireType,
    place: number,
    view: DataView,
    at: number,
  ): string | undefined {
    if (!isFiniteNumeric(view, at)) return "NaN and infinity are no decimal numbers";
    const { int16, int32, int64, row } = this.#parts;
    if (precision > 15) {
      const value = scaledBigInt(view, at, scale);
      const slot = (place >> 3) + row * (width >> 3);
      int64[slot] = BigInt.asIntN(64, value);
      if (width === 16) int64[slot + 1] = value >> 64n;
      return undefined;
    }
    const value = scaledNumber(view, at, scale);
    if (width === 2) int16[(place >> 1) + row] = value;
    else if (width === 4) int32[(place >> 2) + row] = value;
    else {
      const high = Math.floor(value / 2 ** 32);
      int32[(place >> 2) + row * 2] = value - high * 2 ** 32;
      int32[(place >> 2) + row * 2 + 1] = high;
    }
    return undefined;
  }
}

/** The infinities are the ends of the range in PostgreSQL, and as far from zero on both sides in DuckDB. */
export function dayOf(days: number): number {
  if (days === 0x7fff_ffff) return days;
  return days === -0x8000_0000 ? -0x7fff_ffff : days + daysTo2000;
}

/** Microseconds from 2000 in two halves, to those from 1970. PostgreSQL's times end in 294276, DuckDB's thirty years before. */
function setMoment(int32: Int32Array, slot: number, view: DataView, at: number): string | undefined {
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
    return "the time is later than the warehouse can keep (294247-01-10)";
  }
  int32[slot] = sum;
  int32[slot + 1] = sumHigh;
  return undefined;
}

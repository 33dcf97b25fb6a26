import { type DuckDBDecimalType, type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import type duckdb from "@duckdb/node-bindings";
import { copyBytes } from "../../warehouse/ring-buffer/copy-bytes.ts";
import { writeBigInt, writeNumber } from "./numeric-encoding.ts";
import { type ColumnValues, inlineBytes, isNull, readColumn } from "./vector-values.ts";

/** Days and microseconds from 1970 to 2000, PostgreSQL's epoch. */
const daysTo2000 = 10_957;
const microsTo2000 = 946_684_800_000_000n;
/** 4714-11-24 BC and 5874897-12-31, in days from 2000. */
const [firstDay, lastDay] = [-2_451_545, 2_145_031_948];
const firstMicros = BigInt(firstDay) * 86_400_000_000n;
const [int64Max, int64Min] = [2n ** 63n - 1n, -(2n ** 63n)];

/** Encodes the fields of one column of one chunk: their lengths and bytes. */
export class FieldEncoder {
  readonly #values: ColumnValues;
  readonly #kind: DuckDBTypeId;
  readonly #scale: number;
  readonly #width: number;
  readonly #maxSize: number;
  /** Why the last field could not be encoded. */
  refusal = "";

  constructor(values: ColumnValues, kind: DuckDBTypeId, { width, maxSize, scale }: FieldShape) {
    this.#values = values;
    this.#kind = kind;
    this.#width = width;
    this.#maxSize = maxSize;
    this.#scale = scale;
  }

  /** The largest size of the field in bytes, including its length. */
  size(row: number): number {
    if (this.#maxSize >= 0) return this.#maxSize;
    // The length of a NULL value is undefined.
    return isNull(this.#values.validity, row) ? 4 : 4 + this.#values.view.getUint32(row * 16, true);
  }

  /** Returns the end offset, or -1 if the field cannot be encoded. */
  write(row: number, bytes: Buffer, view: DataView, at: number): number {
    const { validity, view: from } = this.#values;
    if (isNull(validity, row)) {
      view.setInt32(at, -1);
      return at + 4;
    }
    const offset = row * this.#width;
    switch (this.#kind) {
      case DuckDBTypeId.VARCHAR:
      case DuckDBTypeId.BLOB:
        return this.#text(row, bytes, view, at);
      case DuckDBTypeId.BIGINT:
      case DuckDBTypeId.DOUBLE:
      case DuckDBTypeId.TIME:
        view.setInt32(at, 8);
        view.setInt32(at + 4, from.getInt32(offset + 4, true));
        view.setInt32(at + 8, from.getInt32(offset, true));
        return at + 12;
      case DuckDBTypeId.INTEGER:
      case DuckDBTypeId.FLOAT:
        view.setInt32(at, 4);
        view.setInt32(at + 4, from.getInt32(offset, true));
        return at + 8;
      case DuckDBTypeId.SMALLINT:
        view.setInt32(at, 2);
        view.setInt16(at + 4, from.getInt16(offset, true));
        return at + 6;
      case DuckDBTypeId.BOOLEAN:
        view.setInt32(at, 1);
        view.setUint8(at + 4, from.getUint8(offset));
        return at + 5;
      case DuckDBTypeId.DECIMAL:
      case DuckDBTypeId.HUGEINT: {
        const end = this.#numeric(offset, view, at + 4);
        view.setInt32(at, end - at - 4);
        return end;
      }
      case DuckDBTypeId.DATE:
        return this.#day(from.getInt32(offset, true), view, at);
      case DuckDBTypeId.TIMESTAMP:
      case DuckDBTypeId.TIMESTAMP_TZ:
        return this.#timestamp(offset, view, at);
      case DuckDBTypeId.UUID:
        view.setInt32(at, 16);
        view.setInt32(at + 4, from.getInt32(offset + 12, true) ^ 0x8000_0000);
        view.setInt32(at + 8, from.getInt32(offset + 8, true));
        view.setInt32(at + 12, from.getInt32(offset + 4, true));
        view.setInt32(at + 16, from.getInt32(offset, true));
        return at + 20;
      case DuckDBTypeId.INTERVAL:
        view.setInt32(at, 16);
        view.setBigInt64(at + 4, from.getBigInt64(offset + 8, true));
        view.setInt32(at + 12, from.getInt32(offset + 4, true));
        view.setInt32(at + 16, from.getInt32(offset, true));
        return at + 20;
      default:
        throw new Error(`Values of the type ${DuckDBTypeId[this.#kind]} cannot be sent to PostgreSQL.`);
    }
  }

  #text(row: number, bytes: Buffer, view: DataView, at: number): number {
    const { bytes: entries, view: from, long } = this.#values;
    const offset = row * 16;
    const length = from.getUint32(offset, true);
    view.setInt32(at, length);
    const isInline = length <= inlineBytes || long === undefined;
    const run = isInline ? 0 : (long.run[row] ?? 0);
    const source = isInline ? entries : (long.runs[run] as Buffer);
    const start = isInline ? offset + 4 : (long.at[row] ?? 0);
    const mayHaveNul = this.#kind === DuckDBTypeId.VARCHAR && (isInline || long.withNul[run]);
    if (mayHaveNul && hasNul(source, start, length)) {
      this.refusal = "the text contains the character U+0000, which PostgreSQL cannot store";
      return -1;
    }
    copyBytes(source, start, length, bytes, at + 4);
    return at + 4 + length;
  }

  #numeric(offset: number, view: DataView, at: number): number {
    const { view: from } = this.#values;
    if (this.#width === 2) return writeNumber(view, at, from.getInt16(offset, true), this.#scale);
    if (this.#width === 4) return writeNumber(view, at, from.getInt32(offset, true), this.#scale);
    if (this.#width === 16) {
      const value = (from.getBigInt64(offset + 8, true) << 64n) | from.getBigUint64(offset, true);
      return writeBigInt(view, at, value, this.#scale);
    }
    const number = from.getInt32(offset + 4, true) * 2 ** 32 + from.getUint32(offset, true);
    if (Number.isSafeInteger(number)) return writeNumber(view, at, number, this.#scale);
    return writeBigInt(view, at, from.getBigInt64(offset, true), this.#scale);
  }

  #day(day: number, view: DataView, at: number): number {
    view.setInt32(at, 4);
    const isInfinite = day === 0x7fff_ffff || day === -0x7fff_ffff;
    const days = day - daysTo2000;
    if (!isInfinite && (days < firstDay || days > lastDay)) {
      this.refusal = "the date is outside PostgreSQL's range (4714-11-24 BC to 5874897-12-31)";
      return -1;
    }
    view.setInt32(at + 4, isInfinite ? (day > 0 ? 0x7fff_ffff : -0x8000_0000) : days);
    return at + 8;
  }

  #timestamp(offset: number, view: DataView, at: number): number {
    const { view: from } = this.#values;
    const high = from.getInt32(offset + 4, true);
    view.setInt32(at, 8);
    // Nearly all times are between 2600 BC and the year 148,000. For them, two 32-bit halves are enough, without a BigInt.
    if (high > -0x0200_0000 && high < 0x4000_0000) {
      const low = from.getUint32(offset, true) - epochLow;
      view.setInt32(at + 4, high - epochHigh - (low < 0 ? 1 : 0));
      view.setInt32(at + 8, low);
      return at + 12;
    }
    const micros = from.getBigInt64(offset, true);
    if (micros === int64Max || micros === -int64Max) {
      view.setBigInt64(at + 4, micros > 0n ? int64Max : int64Min);
      return at + 12;
    }
    if (micros - microsTo2000 < firstMicros) {
      this.refusal = "the time is before PostgreSQL's range (4714-11-24 BC)";
      return -1;
    }
    view.setBigInt64(at + 4, micros - microsTo2000);
    return at + 12;
  }
}

const epochHigh = Number(microsTo2000 >> 32n);
const epochLow = Number(microsTo2000 & 0xffff_ffffn);

interface FieldShape {
  /** Bytes of a value in DuckDB's memory. */
  readonly width: number;
  /** The largest size of a field including its length; -1 if it varies. */
  readonly maxSize: number;
  readonly scale: number;
}

export function fieldEncoder(
  type: DuckDBType,
  chunk: duckdb.DataChunk,
  column: number,
  rows: number,
): FieldEncoder {
  const shape = shapeOf(type);
  const isText = shape.maxSize < 0;
  return new FieldEncoder(readColumn(chunk, column, rows, shape.width, isText), type.typeId, shape);
}

/** 128 bits have at most 39 digits: eleven groups of four, or one more if the decimal point splits a group. */
const maxNumericSize = 4 + 8 + 2 * 12;

function shapeOf(type: DuckDBType): FieldShape {
  const fixed = (width: number): FieldShape => ({ width, maxSize: 4 + width, scale: 0 });
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return fixed(1);
    case DuckDBTypeId.SMALLINT:
      return fixed(2);
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DATE:
      return fixed(4);
    case DuckDBTypeId.UUID:
    case DuckDBTypeId.INTERVAL:
      return fixed(16);
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.BLOB:
      return { width: 16, maxSize: -1, scale: 0 };
    case DuckDBTypeId.HUGEINT:
      return { width: 16, maxSize: maxNumericSize, scale: 0 };
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return {
        width: width <= 4 ? 2 : width <= 9 ? 4 : width <= 18 ? 8 : 16,
        maxSize: maxNumericSize,
        scale,
      };
    }
    default:
      return fixed(8);
  }
}

function hasNul(source: Uint8Array, start: number, length: number): boolean {
  for (let i = start; i < start + length; i++) if (source[i] === 0) return true;
  return false;
}

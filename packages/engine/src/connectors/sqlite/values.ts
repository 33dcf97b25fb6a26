import type { WarehouseColumn } from "../../protocol/column.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { exactText } from "../source/exact-text.ts";

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Converts a value to the column's wire type; undefined if the column cannot hold it exactly. */
export type SqliteValueReader = (value: SqliteValue) => CellValue | undefined;

export function valueReader({ type, wire }: WarehouseColumn): SqliteValueReader {
  if (wire === "JSON") return jsonCell;
  switch (type) {
    case "BIGINT":
      return (value) => (value === null || typeof value === "bigint" ? value : integerCell(value));
    case "DOUBLE":
      return (value) => (value === null || typeof value === "number" ? value : doubleCell(value));
    case "BLOB":
      return (value) => (typeof value === "string" ? Buffer.from(value) : bytesOrNull(value));
    default: {
      const exact = exactText(type);
      const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? [];
      return (value) => {
        if (value === null) return null;
        if (typeof value === "number" && scale) return exact(decimalOf(value, Number(scale)));
        const text = textOf(value);
        return text === undefined ? undefined : exact(text);
      };
    }
  }
}

/** A list or a struct. The warehouse stages it as JSON, which has to be valid. */
function jsonCell(value: SqliteValue): CellValue | undefined {
  if (value === null) return null;
  const text = textOf(value);
  try {
    JSON.parse(text ?? "");
    return text;
  } catch {
    return undefined;
  }
}

const bytesOrNull = (value: Exclude<SqliteValue, string>): CellValue | undefined =>
  value === null || value instanceof Uint8Array ? value : undefined;

const integerCell = (value: SqliteValue): CellValue | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;

function doubleCell(value: SqliteValue): CellValue | undefined {
  const number = typeof value === "bigint" ? Number(value) : Number.NaN;
  return BigInt(Number.isNaN(number) ? 0 : number) === value ? number : undefined;
}

/** SQLite stores 0.3 as the nearest double. A difference within a double's precision is treated as exact. */
function decimalOf(value: number, scale: number): string {
  const rounded = value.toFixed(scale);
  return Math.abs(Number(rounded) - value) <= Math.abs(value) * 4 * Number.EPSILON ? rounded : String(value);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text that SQLite writes, so that 1.0 does not become an integer. */
function textOf(value: Exclude<SqliteValue, null>): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15) return value.toFixed(1);
  if (!(value instanceof Uint8Array)) return String(value);
  try {
    return utf8.decode(value);
  } catch {
    return undefined;
  }
}

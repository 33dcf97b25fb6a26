import { type WarehouseColumn, wireType } from "../../../protocol/column.ts";
import type { CellValue } from "../../../warehouse/cell-value.ts";
import { exactText } from "../exact-text.ts";

/** Converts a JSON value to the column's wire type; undefined if the column cannot hold it exactly. */
export function cellReader(column: WarehouseColumn): (value: unknown) => CellValue | undefined {
  const read =
    wireType(column) !== "VARCHAR"
      ? readerOf(column.type)
      : column.inferred
        ? asText(column.type)
        : declaredText(column.type);
  return (value) => (value === undefined || value === null ? null : read(value));
}

function readerOf(type: string): (value: unknown) => CellValue | undefined {
  switch (type) {
    case "BOOLEAN":
      return (value) => (typeof value === "boolean" ? value : undefined);
    case "BIGINT":
      return integerCell;
    case "DOUBLE":
      return (value) => (typeof value === "number" ? value : undefined);
    default:
      return (value) => JSON.stringify(value);
  }
}

function asText(type: string): (value: unknown) => CellValue | undefined {
  if (type === "JSON") return (value) => JSON.stringify(value);
  const exact = exactText(type);
  return (value) => exact(textOf(value));
}

const bits: Readonly<Record<string, number>> = { TINYINT: 8, SMALLINT: 16, INTEGER: 32, BIGINT: 64 };

/**
 * Values of a declared type. They are checked here as the warehouse would check them, because the warehouse does not
 * know where a value comes from.
 */
function declaredText(type: string): (value: unknown) => CellValue | undefined {
  const read = asText(type);
  const size = bits[type];
  const shape =
    type === "BOOLEAN"
      ? /^(?:true|false)$/i
      : /^(?:FLOAT|DOUBLE)$/.test(type)
        ? /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
        : undefined;
  return (value) => {
    const text = read(value);
    if (typeof text !== "string") return text;
    if (size !== undefined && !isWithin(size, text)) return undefined;
    return shape === undefined || shape.test(text) ? text : undefined;
  };
}

/** Longer texts are not read as numbers, because that takes more than linear time. */
const isWithin = (size: number, digits: string): boolean =>
  digits.length <= 20 && BigInt.asIntN(size, BigInt(digits)) === BigInt(digits);

function integerCell(value: unknown): CellValue | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (!JSON.isRawJSON(value) || !/^-?\d+$/.test(value.rawJSON)) return undefined;
  const exact = BigInt(value.rawJSON);
  return BigInt.asIntN(64, exact) === exact ? exact : undefined;
}

/** Strings unchanged, other values as JSON. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

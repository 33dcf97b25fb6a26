import { type WarehouseColumn, wireType } from "../../../protocol/column.ts";
import type { CellValue } from "../../../warehouse/cell-value.ts";
import { exactText } from "../exact-text.ts";

/** Converts a JSON value to the column's wire type; undefined if the column cannot hold it exactly. */
export function cellReader(column: WarehouseColumn): (value: unknown) => CellValue | undefined {
  const read = wireType(column) === "VARCHAR" ? asText(column.type) : readerOf(column.type);
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

function integerCell(value: unknown): CellValue | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (!JSON.isRawJSON(value) || !/^-?\d+$/.test(value.rawJSON)) return undefined;
  const exact = BigInt(value.rawJSON);
  return BigInt.asIntN(64, exact) === exact ? exact : undefined;
}

/** Strings unchanged, other values as JSON. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

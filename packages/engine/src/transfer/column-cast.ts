import { castText } from "../connectors/source/cast-text.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { quote } from "../warehouse/names.ts";
import { fittingValue } from "./fitting-value.ts";

/** SQL: casts a column from its wire type to its own type. NULL if the value does not fit. */
export function castColumn({ name, type, wire, kept }: WarehouseColumn): string {
  if (kept && wire !== undefined) return fittingValue(quote(name), wire, type, kept.length);
  if (wire === "VARCHAR") return castText(quote(name), type);
  const isRounded = wire !== undefined && (type === "FLOAT" || type === "DOUBLE");
  return isRounded
    ? castText(`CAST(${quote(name)} AS VARCHAR)`, type)
    : `TRY_CAST(${quote(name)} AS ${type})`;
}

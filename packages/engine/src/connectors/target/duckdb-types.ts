import type { WarehouseColumn } from "../../protocol/column.ts";
import { holdsDecimal, kindOf } from "./type-kinds.ts";

const wideningOrders = [
  ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"],
  ["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"],
  ["FLOAT", "DOUBLE"],
];

/** Whether the existing type holds every value of the column. */
export function duckdbFits(existing: string, { type }: Pick<WarehouseColumn, "type">): boolean {
  if (existing === type) return true;
  if (kindOf(existing) === "decimal" && kindOf(type) === "decimal") return holdsDecimal(existing, type);
  if (existing === "VARCHAR") return type === "JSON" || type.startsWith("ENUM(");
  return wideningOrders.some(
    (types) => types.includes(type) && types.indexOf(existing) > types.indexOf(type),
  );
}

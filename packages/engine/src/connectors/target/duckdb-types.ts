import type { WarehouseColumn } from "../../protocol/column.ts";
import { holdsDecimal, kindOf } from "./type-kinds.ts";

const growing = [
  ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"],
  ["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"],
  ["FLOAT", "DOUBLE"],
];

/** Whether every value of a column is one of the type that is there. */
export function duckdbFits(there: string, { type }: Pick<WarehouseColumn, "type">): boolean {
  if (there === type) return true;
  if (kindOf(there) === "decimal" && kindOf(type) === "decimal") return holdsDecimal(there, type);
  if (there === "VARCHAR") return type === "JSON" || type.startsWith("ENUM(");
  return growing.some((types) => types.includes(type) && types.indexOf(there) > types.indexOf(type));
}

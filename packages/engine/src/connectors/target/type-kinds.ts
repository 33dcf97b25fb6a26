import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote } from "../../warehouse/names.ts";

/** Groups warehouse types by how other systems store their values. */
export type TypeKind =
  | "boolean"
  /** Fits a signed 64-bit integer. */
  | "integer"
  /** Larger integers: HUGEINT, UBIGINT. */
  | "huge"
  | "decimal"
  | "real"
  | "date"
  | "time"
  | "timestamp"
  /** With nanoseconds. */
  | "fine timestamp"
  /** With time zone. */
  | "instant"
  | "uuid"
  | "binary"
  | "json"
  /** Lists, structs, maps, unions. */
  | "nested"
  /** Text, and all other types as text. */
  | "text";

const kinds: Readonly<Record<string, TypeKind>> = {
  BOOLEAN: "boolean",
  TINYINT: "integer",
  SMALLINT: "integer",
  INTEGER: "integer",
  BIGINT: "integer",
  UTINYINT: "integer",
  USMALLINT: "integer",
  UINTEGER: "integer",
  UBIGINT: "huge",
  HUGEINT: "huge",
  UHUGEINT: "huge",
  FLOAT: "real",
  DOUBLE: "real",
  DATE: "date",
  TIME: "time",
  TIMESTAMP: "timestamp",
  TIMESTAMP_S: "timestamp",
  TIMESTAMP_MS: "timestamp",
  TIMESTAMP_NS: "fine timestamp",
  "TIMESTAMP WITH TIME ZONE": "instant",
  UUID: "uuid",
  BLOB: "binary",
  JSON: "json",
};

export function kindOf(type: string): TypeKind {
  if (/\]$|^(STRUCT|MAP|UNION)\(/.test(type)) return "nested";
  return type.startsWith("DECIMAL(") ? "decimal" : (kinds[type] ?? "text");
}

/** `DECIMAL(12,2)` has 12 digits, 2 of them decimal places. */
export function digitsOf(type: string): { readonly precision: number; readonly scale: number } {
  const [precision = 18, scale = 3] = (type.match(/\d+/g) ?? []).map(Number);
  return { precision, scale };
}

const integerDigits = ({ precision, scale }: ReturnType<typeof digitsOf>) => precision - scale;

/** Whether one DECIMAL type holds every value of the other. */
export function holdsDecimal(wide: string, narrow: string): boolean {
  const [outer, inner] = [digitsOf(wide), digitsOf(narrow)];
  return outer.scale >= inner.scale && integerDigits(outer) >= integerDigits(inner);
}

/**
 * SQL: the column as portable text: times in ISO 8601, binary values in base64, lists and structs as JSON. The DuckDB
 * session must be in UTC.
 */
export function textOf({ name, type }: WarehouseColumn): string {
  const value = quote(name);
  switch (kindOf(type)) {
    case "timestamp":
      return `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%f')`;
    case "fine timestamp":
      return `strftime(${value}, '%Y-%m-%dT%H:%M:%S.%n')`;
    case "instant":
      return `strftime(${value} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%f') || CASE WHEN isfinite(${value}) THEN 'Z' ELSE '' END`;
    case "binary":
      return `base64(${value})`;
    case "nested":
      return `CAST(to_json(${value}) AS VARCHAR)`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

/** SQL: parses the text that `textOf` wrote. */
export function valueFrom(type: string, text: string): string {
  const kind = kindOf(type);
  if (kind === "binary") return `from_base64(${text})`;
  return kind === "nested" ? `CAST(CAST(${text} AS JSON) AS ${type})` : `CAST(${text} AS ${type})`;
}

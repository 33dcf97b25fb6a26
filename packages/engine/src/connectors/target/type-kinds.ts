import type { WarehouseColumn } from "../../protocol/column.ts";
import { quote } from "../../warehouse/names.ts";

/** What matters of a warehouse type to those who keep its values elsewhere. */
export type TypeKind =
  | "boolean"
  /** Fits 64 bits with sign. */
  | "integer"
  /** Whole numbers beyond that: HUGEINT, UBIGINT. */
  | "huge"
  | "decimal"
  | "real"
  | "date"
  | "time"
  | "timestamp"
  /** With nanoseconds, which few others have. */
  | "fine timestamp"
  /** With a time zone: a moment. */
  | "instant"
  | "uuid"
  | "binary"
  | "json"
  /** Lists, structs, maps, unions. */
  | "nested"
  /** Text, and everything else by its text. */
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

/** Of a type as DuckDB writes it. */
export function kindOf(type: string): TypeKind {
  if (/\]$|^(STRUCT|MAP|UNION)\(/.test(type)) return "nested";
  return type.startsWith("DECIMAL(") ? "decimal" : (kinds[type] ?? "text");
}

/** `DECIMAL(12,2)` has 12 digits, 2 of them behind the point. */
export function digitsOf(type: string): { readonly precision: number; readonly scale: number } {
  const [precision = 18, scale = 3] = (type.match(/\d+/g) ?? []).map(Number);
  return { precision, scale };
}

const wholeDigits = ({ precision, scale }: ReturnType<typeof digitsOf>) => precision - scale;

/** Whether every value of one DECIMAL is one of the other. */
export function holdsDecimal(there: string, coming: string): boolean {
  const [wide, narrow] = [digitsOf(there), digitsOf(coming)];
  return wide.scale >= narrow.scale && wholeDigits(wide) >= wholeDigits(narrow);
}

/**
 * SQL: the column as text that a person and another program can read: times as in ISO 8601, binary as base64, lists and
 * structs as JSON. In a DuckDB whose time zone is UTC.
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

/** SQL: the value whose text, by `textOf`, an expression gives. */
export function valueFrom(type: string, text: string): string {
  const kind = kindOf(type);
  if (kind === "binary") return `from_base64(${text})`;
  return kind === "nested" ? `CAST(CAST(${text} AS JSON) AS ${type})` : `CAST(${text} AS ${type})`;
}

import type { WarehouseColumn } from "../../protocol/column.ts";
import { typeNames } from "../../protocol/type-syntax.ts";
import { quote } from "../../warehouse/names.ts";
import { digitsOf, holdsDecimal, kindOf } from "../target/type-kinds.ts";

/**
 * The declared SQLite type of each warehouse type. SQLite derives a column's affinity from words in the type name: "INT"
 * means integer; then "CHAR", "CLOB" and "TEXT" mean text; "BLOB" bytes; "REAL", "FLOA" and "DOUB" doubles; any other name
 * turns text that looks like a number into a number. DECIMAL would turn '1.10' into 1.1 and lose digits beyond fifteen, so
 * exact numbers and JSON have types that begin with TEXT_ and do not contain "INT". Times never look like numbers.
 */
const declaredTypes: Readonly<Record<string, string>> = {
  BOOLEAN: "BOOLEAN",
  TINYINT: "TINYINT",
  SMALLINT: "SMALLINT",
  INTEGER: "INT",
  BIGINT: "BIGINT",
  UTINYINT: "UTINYINT",
  USMALLINT: "USMALLINT",
  UINTEGER: "UINT",
  UBIGINT: "TEXT_U64",
  HUGEINT: "TEXT_HUGE",
  UHUGEINT: "TEXT_UHUGE",
  FLOAT: "FLOAT",
  DOUBLE: "DOUBLE",
  DATE: "DATE",
  TIME: "TIME",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMP_S: "TIMESTAMP_S",
  TIMESTAMP_MS: "TIMESTAMP_MS",
  TIMESTAMP_NS: "TIMESTAMP_NS",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
  INTERVAL: "TEXT_PERIOD",
  UUID: "UUID",
  BLOB: "BLOB",
  JSON: "TEXT_JSON",
};

const warehouseTypes = new Map(Object.entries(declaredTypes).map(([type, name]) => [name, type]));

/** The declared type of a new column. Lists and structs keep the warehouse's name, in quotes: their JSON is not a number. */
export function declaredType(type: string): string {
  const kind = kindOf(type);
  if (kind === "decimal") return `TEXT_${type}`;
  return kind === "nested" ? quote(type) : (declaredTypes[type] ?? "TEXT");
}

/**
 * The warehouse type of a declared type that Lakehelm uses; undefined for other types. Lists, structs, `TEXT_…`, dates and
 * times are stored as text, lists and structs as JSON, `BOOLEAN` as 0 and 1.
 */
export function declaredWarehouseType(name: string): string | undefined {
  const written = name.startsWith("TEXT_DECIMAL(") ? name.slice("TEXT_".length) : name;
  if (["decimal", "nested"].includes(kindOf(written))) return isReadable(written) ? written : undefined;
  return name === "TEXT" ? "VARCHAR" : warehouseTypes.get(name);
}

/** What DuckDB reads from JSON: not BIGNUM, BIT, GEOMETRY or VARIANT, whose lists and structs are read as text. */
const fromJson = new Set([
  ...Object.keys(declaredTypes).map((type) => type.replace(/ .*/, "")),
  ...["VARCHAR", "DECIMAL", "ENUM", "STRUCT", "MAP", "UNION", "TIME_NS", '"NULL"'],
]);

/** A foreign file can declare any text as a type. */
function isReadable(type: string): boolean {
  const decimals = (type.match(/\bDECIMAL\(\d+, ?\d+\)/g) ?? []).map(digitsOf);
  return (
    typeNames(type)?.every((name) => fromJson.has(name)) === true &&
    decimals.every(({ precision, scale }) => precision >= 1 && precision <= 38 && scale <= precision)
  );
}

/** DuckDB SQL: the value that is sent to SQLite. Timestamps with time zone have SQLite's offset format and sort as text. */
export function sqliteValue({ name, type }: WarehouseColumn): string {
  const value = quote(name);
  switch (kindOf(type)) {
    case "boolean":
      return `CAST(${value} AS TINYINT)`;
    case "integer":
    case "binary":
      return value;
    case "real":
      return `CAST(${value} AS DOUBLE)`;
    case "instant":
      return `CAST(${value} AS VARCHAR) || CASE WHEN isfinite(${value}) THEN ':00' ELSE '' END`;
    case "nested":
      return `CAST(to_json(${value}) AS VARCHAR)`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

type Affinity = "integer" | "text" | "none" | "real" | "numeric";

/** SQLite's own rules, in order. */
function affinityOf(name: string): Affinity {
  if (/INT/i.test(name)) return "integer";
  if (/CHAR|CLOB|TEXT/i.test(name)) return "text";
  if (name === "" || /BLOB/i.test(name)) return "none";
  return /REAL|FLOA|DOUB/i.test(name) ? "real" : "numeric";
}

/** Whether a column with this declared type holds every value of the warehouse column. */
export function sqliteFits(existing: string, { type }: WarehouseColumn): boolean {
  if (existing === declaredType(type) || existing === type) return true;
  const warehouseType = declaredWarehouseType(existing.toUpperCase());
  if (warehouseType?.startsWith("DECIMAL("))
    return kindOf(type) === "decimal" && holdsDecimal(warehouseType, type);
  if (/^TEXT_/i.test(existing)) return false;
  const affinity = affinityOf(existing);
  switch (kindOf(type)) {
    case "boolean":
    case "integer":
      return (
        affinity === "integer" || (affinity === "numeric" && !/BOOL|DATE|TIME|UUID|JSON/i.test(existing))
      );
    case "real":
      return affinity === "real";
    case "binary":
      return affinity === "none";
    case "date":
    case "time":
    case "timestamp":
    case "fine timestamp":
    case "instant":
      return affinity === "text" || (existing !== "" && /DATE|TIME/i.test(existing) && !warehouseType);
    default:
      return affinity === "text" || existing === "";
  }
}

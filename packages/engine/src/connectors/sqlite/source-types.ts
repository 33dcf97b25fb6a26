import { declaredWarehouseType as writtenType } from "./target-types.ts";

/** SQLite's declared types are only hints: a value may have any type. */
const types: readonly (readonly [RegExp, string])[] = [
  [/^(UNSIGNED )?(TINY|SMALL|MEDIUM|BIG)? ?INT(EGER|[248])?\b/, "BIGINT"],
  [/^BOOL(EAN)?\b/, "BOOLEAN"],
  [/^(REAL|FLOAT|DOUBLE)\b/, "DOUBLE"],
  [/^DATE$/, "DATE"],
  [/^(TIMESTAMPTZ|(TIMESTAMP|DATETIME)(\(\d\))? WITH TIME ?ZONE)\b/, "TIMESTAMP WITH TIME ZONE"],
  [/^(TIMESTAMP|DATETIME)\b/, "TIMESTAMP"],
  [/^TIME\b/, "TIME"],
  [/^JSONB?\b/, "JSON"],
  [/^UUID\b/, "UUID"],
  [/^BLOB\b/, "BLOB"],
];

/** The warehouse type of a declared type. Unknown types become text. */
export function warehouseType(declared: string): string {
  const name = declared.trim().toUpperCase().replace(/\s+/g, " ");
  const decimal = /^(?:DECIMAL|NUMERIC|NUMBER) ?\( ?(\d+) ?(?:, ?(\d+) ?)?\)$/.exec(name);
  if (decimal) return decimalType(Number(decimal[1]), Number(decimal[2] ?? 0));
  // INTEGER[] is no INTEGER.
  const known = name.endsWith("]") ? undefined : types.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? writtenType(declared) ?? "VARCHAR";
}

const decimalType = (precision: number, scale: number): string =>
  precision >= 1 && precision <= 38 && scale <= precision ? `DECIMAL(${precision},${scale})` : "VARCHAR";

/** The wire type, if values must be checked before they are cast. */
export function wireOf(type: string): string | undefined {
  if (["BIGINT", "DOUBLE", "BLOB", "VARCHAR"].includes(type)) return undefined;
  // Only tables that Lakehelm created have lists and structs, as JSON.
  return /[[(]/.test(type) && !type.startsWith("DECIMAL(") ? "JSON" : "VARCHAR";
}

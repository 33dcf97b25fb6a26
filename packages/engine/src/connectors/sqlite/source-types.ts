import { warehouseType as writtenType } from "./target-types.ts";

/** What SQLite calls a type says what is meant, not what is kept: each value may be of any kind. */
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

/** The warehouse's type for a declared one; text can hold all that is not known. */
export function warehouseType(declared: string): string {
  const name = declared.trim().toUpperCase().replace(/\s+/g, " ");
  const decimal = /^(?:DECIMAL|NUMERIC|NUMBER) ?\( ?(\d+) ?(?:, ?(\d+) ?)?\)$/.exec(name);
  if (decimal) return decimalType(Number(decimal[1]), Number(decimal[2] ?? 0));
  return types.find(([pattern]) => pattern.test(name))?.[1] ?? writtenType(declared) ?? "VARCHAR";
}

const decimalType = (precision: number, scale: number): string =>
  precision >= 1 && precision <= 38 && scale <= precision ? `DECIMAL(${precision},${scale})` : "VARCHAR";

/** What rows arrive as, where a value must be looked at before it is one of its type. */
export function wireOf(type: string): string | undefined {
  if (["BIGINT", "DOUBLE", "BLOB", "VARCHAR"].includes(type)) return undefined;
  // Only our own tables have lists and structs, as JSON.
  return /[[(]/.test(type) && !type.startsWith("DECIMAL(") ? "JSON" : "VARCHAR";
}

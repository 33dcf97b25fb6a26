/** SQL fragments that several statements share. */
import { quoteIdentifier, sqlString } from "@lakehelm/sql/names";
import { type ColumnType, isComparable } from "./column-type.ts";
import type { FlowColumn } from "./flow.ts";

export const quotedNames = (columns: readonly { readonly name: string }[]): string[] =>
  columns.map(({ name }) => quoteIdentifier(name));

/** A column of an alias: `source.amount`. */
export const qualified = (alias: string, name: string): string => `${alias}.${quoteIdentifier(name)}`;

/** Null-safe equality of each column, for keys. */
export const allEqual = (left: string, right: string, columns: readonly FlowColumn[]): string[] =>
  columns.map(({ name }) => `${qualified(left, name)} <=> ${qualified(right, name)}`);

/** Null-safe equality of several columns. Types that cannot be compared are compared as JSON. */
export function sameValues(
  left: string,
  right: string,
  columns: readonly FlowColumn[],
  indent: string,
): string {
  const values = (alias: string) => columns.map(({ name, type }) => comparable(qualified(alias, name), type));
  const [a, b] = [values(left), values(right)];
  if (a.length === 1) return `${a[0]} <=> ${b[0]}`;
  const line = `(${a.join(", ")}) <=> (${b.join(", ")})`;
  if (line.length <= 100) return line;
  const below = (items: readonly string[]) => `(\n${lines(items, `${indent}  `)}\n${indent})`;
  return `${below(a)} <=> ${below(b)}`;
}

/** Descending order, so that every run picks the same row. */
export const descending = ({ name, type }: FlowColumn): string =>
  `${comparable(quoteIdentifier(name), type)} DESC NULLS LAST`;

/** A MAP or a VARIANT cannot be compared or hashed, but its JSON can. */
export const comparable = (expression: string, type: ColumnType) => {
  if (isComparable(type)) return expression;
  const hasTime = type.within.has("TIMESTAMP") || type.within.has("TIMESTAMP_NTZ");
  return hasTime ? exactJson(expression) : `to_json(${expression})`;
};

/** JSON with microseconds, which the default formats drop. Sessions are in UTC, so no zone is needed. */
export const exactJson = (expression: string): string => `to_json(${expression}, ${timeFormats})`;

const timeFormats = `map(${["timestampFormat", "timestampNTZFormat"]
  .flatMap((option) => [option, "yyyy-MM-dd HH:mm:ss.SSSSSS"])
  .map(sqlString)
  .join(", ")})`;

/** A value cast to the target's type. CHAR is padded like in the table; otherwise it would never compare equal. */
export function castTo(expression: string, type: ColumnType, cast = "CAST"): string {
  const text = `${cast}(${expression} AS ${valueType(type)})`;
  if (type.name !== "CHAR") return text;
  return `rpad(${text}, greatest(length(${text}), ${type.length}), ' ')`;
}

/** CHAR and VARCHAR are only types of columns; their values have the type STRING. */
export const valueType = ({ name, sql }: ColumnType): string =>
  name === "CHAR" || name === "VARCHAR" ? "STRING" : sql;

/**
 * A hash of a key, different for different keys and independent of the time zone. JSON keeps `a`, `bc` apart from `ab`, `c`.
 */
export const keyHash = (key: readonly FlowColumn[]): string =>
  `sha2(to_json(array(${key.map(keyText).join(", ")})), 256)`;

function keyText({ name, type }: FlowColumn): string {
  const column = quoteIdentifier(name);
  if (type.name === "STRING" || type.name === "VARCHAR" || type.name === "CHAR") return column;
  if (type.name === "TIMESTAMP") return `CAST(unix_micros(${column}) AS STRING)`;
  return type.name === "BINARY" ? `hex(${column})` : `CAST(${column} AS STRING)`;
}

/** An alias that is not the name of any column, because a column may be called `source`. */
export function freeName(base: string, columns: readonly { readonly name: string }[]): string {
  const used = new Set(columns.map(({ name }) => name.toLowerCase()));
  let name = base;
  while (used.has(name)) name += "_";
  return name;
}

/** One item per line, separated by commas. */
export const lines = (items: readonly string[], indent = "  "): string =>
  items.map((item) => indent + item).join(",\n");

/** Short lists on one line, long ones with one item per line. */
export const listed = (items: readonly string[]): string =>
  items.join(", ").length > 100 ? lines(items) : `  ${items.join(", ")}`;

/** Conditions joined by AND, one per line. */
export const conjunction = (conditions: readonly string[], indent = "  "): string =>
  conditions.join(`\n${indent}AND `);

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { refusedMark } from "../../source/refused-text.ts";
import type { CsvDialect } from "./settings.ts";

const day = String.raw`\d{4}-\d\d-\d\d`;
const time = String.raw`${day}[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?`;

/** Texts that convert without loss: no leading zero and no digit is lost. */
const shapes: Readonly<Record<string, string>> = {
  BOOLEAN: "true|false|TRUE|FALSE|True|False",
  BIGINT: String.raw`0|-?[1-9]\d{0,17}`,
  DOUBLE: String.raw`-?(0|[1-9]\d{0,14})(\.\d{1,17})?([eE][+-]?\d{1,3})?`,
  DATE: day,
  TIMESTAMP: time,
  "TIMESTAMP WITH TIME ZONE": `${time}(Z|[+-]\\d\\d(:?\\d\\d)?)`,
};

/** From the narrowest to the widest. */
const types = Object.keys(shapes);

/** SQL: whether a text has the type. */
function fits(text: string, type: string, dialect: CsvDialect): string {
  const pattern = patternOf(type, dialect);
  if (pattern) return `try_strptime(${text}, ${literal(pattern)}) IS NOT NULL`;
  return `regexp_full_match(${text}, ${literal(shapeOf(type))}) AND TRY_CAST(${text} AS ${type}) IS NOT NULL`;
}

/** Includes types that an existing table may have but that are never inferred. */
function shapeOf(type: string): string {
  const known = shapes[type];
  if (known !== undefined) return known;
  const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(type) ?? [];
  if (scale !== undefined) return scale === "0" ? String.raw`-?\d+` : String.raw`-?\d+(\.\d{0,${scale}}0*)?`;
  return /INT(EGER)?$/.test(type) ? String.raw`-?\d+` : String.raw`[\s\S]*`;
}

/** A declared time may have no offset; then it is in UTC. */
const declaredInstant = `${time}(Z|[+-]\\d\\d(:?\\d\\d)?)?`;

function patternOf(type: string, { dateFormat, timestampFormat }: CsvDialect): string | undefined {
  if (type === "DATE") return dateFormat;
  const hasOffset = timestampFormat?.includes("%z") ?? false;
  if (type === "TIMESTAMP") return hasOffset ? undefined : timestampFormat;
  return type === "TIMESTAMP WITH TIME ZONE" && hasOffset ? timestampFormat : undefined;
}

/** For each of `types`, whether all values have it; null if there are no values. */
export type TypeChecks = readonly (boolean | null)[];

/** Checks the values of a sample. */
export async function checkTypes(
  connection: DuckDBConnection,
  sample: string,
  names: readonly string[],
  dialect: CsvDialect,
): Promise<TypeChecks[]> {
  const checks = names.flatMap((name) =>
    types.map((type) => `bool_and(${fits(quote(name), type, dialect)}) FILTER (${quote(name)} IS NOT NULL)`),
  );
  const result = await connection.runAndReadAll(`SELECT [${checks.join(", ")}] FROM (${sample})`);
  const results = (result.getRowsJson()[0]?.[0] ?? []) as TypeChecks;
  return names.map((_, column) => results.slice(column * types.length, (column + 1) * types.length));
}

/** The checks of two samples together. */
export const bothChecks = (one: TypeChecks, other: TypeChecks): TypeChecks =>
  types.map((_, at) => {
    const [first = null, second = null] = [one[at], other[at]];
    return first === null || second === null ? (first ?? second) : first && second;
  });

/** A column with the narrowest type that all values have. */
export function csvColumn(
  name: string,
  checks: TypeChecks,
): WarehouseColumn & { readonly nullable: boolean } {
  const type = types.find((_, at) => checks[at] === true) ?? "VARCHAR";
  const wire = type === "VARCHAR" ? {} : { wire: "VARCHAR" };
  return { name, type, ...wire, origin: "CSV", inferred: true, nullable: true };
}

/**
 * SQL: the text that the warehouse casts. Its casts are too generous: 1.5 would become the BIGINT 2, and a time would lose
 * its offset. A text that does not fit is marked, so its row is rejected.
 */
export function csvValue({ name, type, inferred }: WarehouseColumn, dialect: CsvDialect): string {
  const text = quote(name);
  if (type === "VARCHAR") return text;
  if (!inferred && type === "TIMESTAMP WITH TIME ZONE") return declaredInstantValue(text, dialect);
  const pattern = patternOf(type, dialect);
  const value = pattern
    ? `CAST(CAST(try_strptime(${text}, ${literal(pattern)}) AS ${type}) AS VARCHAR)`
    : text;
  return valueOrMark(text, fits(text, type, dialect), value);
}

function declaredInstantValue(text: string, { timestampFormat }: CsvDialect): string {
  if (timestampFormat !== undefined) {
    const read = `try_strptime(${text}, ${literal(timestampFormat)})`;
    const inUtc = timestampFormat.includes("%z")
      ? `CAST(CAST(${read} AS TIMESTAMP WITH TIME ZONE) AS VARCHAR)`
      : `CAST(CAST(${read} AS TIMESTAMP) AS VARCHAR) || '+00'`;
    return valueOrMark(text, `${read} IS NOT NULL`, inUtc);
  }
  const withOffset = `CASE WHEN regexp_full_match(${text}, ${literal(time)}) THEN ${text} || '+00' ELSE ${text} END`;
  const isTime = `regexp_full_match(${text}, ${literal(declaredInstant)}) AND TRY_CAST(${withOffset} AS TIMESTAMP WITH TIME ZONE) IS NOT NULL`;
  return valueOrMark(text, isTime, withOffset);
}

/** SQL: the value of a text that fits, and other texts with the mark that no cast accepts. */
const valueOrMark = (text: string, condition: string, value: string): string =>
  `CASE WHEN ${text} IS NULL OR ${condition} THEN ${value} ELSE ${literal(refusedMark)} || ${text} END`;

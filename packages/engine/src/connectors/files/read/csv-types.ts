import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../../protocol/column.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { castText } from "../../source/cast-text.ts";
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

/** From the narrowest to the widest. A column of amounts is a DECIMAL before it is a DOUBLE. */
const types = Object.keys(shapes);

/** Amounts: numbers with the same number of digits after the point, of which there are at least two. */
const amount = String.raw`-?(0|[1-9]\d{0,19})\.\d{2,18}`;

/**
 * Up to these counts, the column is a DECIMAL(18), which DuckDB stores as 64-bit integers; greater amounts still fit.
 */
const fewDigits = { before: 9, after: 6 } as const;

/** SQL: whether a text has the type. */
function fits(text: string, type: string, dialect: CsvDialect): string {
  const pattern = patternOf(type, dialect);
  if (pattern) return `try_strptime(${text}, ${literal(pattern)}) IS NOT NULL`;
  return `regexp_full_match(${text}, ${literal(shapeOf(type))}) AND ${castText(text, type)} IS NOT NULL`;
}

/** Includes types that an existing table may have but that are never inferred. */
function shapeOf(type: string): string {
  const known = shapes[type === "FLOAT" ? "DOUBLE" : type];
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

/** What the checks found in the values of a column in a sample. */
export interface TypeChecks {
  /** For each of `types`, whether all values have it; null if there are no values. */
  readonly fits: readonly (boolean | null)[];
  /** Whether all values are amounts; null if there are no values. */
  readonly isAmount: boolean | null;
  /** The digits of amounts before and after the point. */
  readonly before: number;
  readonly after: readonly [least: number, most: number];
}

/**
 * Checks the values of a sample. UNPIVOT turns the columns into rows: with aggregates for each column, the time and
 * memory that DuckDB needs grow with the square of the number of columns, to minutes and gigabytes for 400.
 */
export async function checkTypes(
  connection: DuckDBConnection,
  sample: string,
  names: readonly string[],
  dialect: CsvDialect,
): Promise<TypeChecks[]> {
  const all = (condition: string) => `bool_and(${condition})`;
  const after = "strlen(split_part(v, '.', 2))";
  const checks = `{fits: [${types.map((type) => all(fits("v", type, dialect))).join(", ")}], isAmount: ${all(`regexp_full_match(v, ${literal(amount)})`)}, before: max(strlen(ltrim(split_part(v, '.', 1), '-'))), least: min(${after}), most: max(${after})}`;
  // UNPIVOT leaves out NULL.
  const values = `SELECT * FROM (${sample}) UNPIVOT (v FOR n IN (${names.map(quote).join(", ")}))`;
  const result = await connection.runAndReadAll(`SELECT n, to_json(${checks}) FROM (${values}) GROUP BY n`);
  const found = new Map(
    result
      .getRowsJson()
      .map(([name, text]) => [String(name).toLowerCase(), JSON.parse(String(text)) as FoundChecks]),
  );
  return names.map((name) => {
    const { fits, isAmount, before, least, most } = found.get(name.toLowerCase()) ?? noValues;
    return { fits, isAmount, before: before ?? 0, after: [least ?? 0, most ?? 0] };
  });
}

const noValues: FoundChecks = {
  fits: types.map(() => null),
  isAmount: null,
  before: null,
  least: null,
  most: null,
};

interface FoundChecks extends Pick<TypeChecks, "fits" | "isAmount"> {
  readonly before: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

/** Combines the checks of two samples. */
export function bothChecks(
  one: TypeChecks | undefined,
  other: TypeChecks | undefined,
): TypeChecks | undefined {
  if (!one || !other) return one ?? other;
  const both = (first: boolean | null = null, second: boolean | null = null) =>
    first === null || second === null ? (first ?? second) : first && second;
  // A sample without values has no digits.
  if (one.isAmount === null || other.isAmount === null) return one.isAmount === null ? other : one;
  return {
    fits: types.map((_, at) => both(one.fits[at], other.fits[at])),
    isAmount: both(one.isAmount, other.isAmount),
    before: Math.max(one.before, other.before),
    after: [Math.min(one.after[0], other.after[0]), Math.max(one.after[1], other.after[1])],
  };
}

/** The DECIMAL of a column of amounts. A later amount with more digits after the point does not fit: nothing is rounded. */
function decimalOf({ isAmount, before, after: [least, most] }: TypeChecks): string | undefined {
  if (!isAmount || least !== most) return undefined;
  const precision = before <= fewDigits.before && most <= fewDigits.after ? 18 : 38;
  return `DECIMAL(${precision},${most})`;
}

/** A column with the narrowest type that all values have. */
export function csvColumn(
  name: string,
  checks: TypeChecks | undefined,
): WarehouseColumn & { readonly nullable: boolean } {
  const type = (checks && decimalOf(checks)) ?? types.find((_, at) => checks?.fits[at] === true) ?? "VARCHAR";
  const wire = type === "VARCHAR" ? {} : { wire: "VARCHAR" };
  const origin = type === "VARCHAR" ? "CSV" : "CSV, inferred";
  return { name, type, ...wire, origin, inferred: true, nullable: true };
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

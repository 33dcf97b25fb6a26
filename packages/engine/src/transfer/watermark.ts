import type { DuckDBConnection } from "@duckdb/node-api";
import { counted, verbFor } from "@lakehelm/contract/text";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { WatermarkColumn } from "../protocol/transfer.ts";
import { literal, quote } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { castColumn } from "./column-cast.ts";

/** SQL that compares values of a watermark column in the order of the source. Values are SQL of the column's type. */
export interface WatermarkOrder {
  readonly greater: (value: string, other: string) => string;
  readonly equal: (value: string, other: string) => string;
  /** Sorts like the values themselves. */
  readonly key: (value: string) => string;
  /**
   * Whether a later row can have a greater value. No row is above infinity, NaN, the greatest integer, or the year 9999, which
   * stands for "never" in many systems. As the watermark, such a value would hide all rows that follow.
   */
  readonly canBePassed: (value: string) => string;
}

// DuckDB compares and sorts times with a zone in one order and finds their greatest value in another.
const unordered = /^(BLOB|JSON|INTERVAL|BOOLEAN|BIT|TIME WITH TIME ZONE)$|\]$|^(STRUCT|MAP|UNION)\(/;

export function watermarkOrder({ type, isNumericText }: WarehouseColumn): WatermarkOrder {
  const key = isNumericText ? numericTextKey : (value: string) => value;
  return {
    key,
    greater: (value, other) => `${key(value)} > ${key(other)}`,
    equal: (value, other) => `${key(value)} = ${key(other)}`,
    canBePassed: isNumericText ? isPlainNumber : canBePassed(type),
  };
}

export const describedWatermark = (column: WarehouseColumn | undefined): WatermarkColumn | null =>
  column ? { name: column.name, type: column.isNumericText ? "NUMERIC" : column.type } : null;

/** Throws a DataProblem if the warehouse does not know the order of the column's values. */
export function requireOrderedType(
  { name, type, origin, sourceOrder }: WarehouseColumn,
  dataset: string,
): void {
  if (!unordered.test(type) && sourceOrder !== "other") return;
  throw new DataProblem(
    `The column ${JSON.stringify(name)} of ${dataset} has the type ${origin} and cannot be the watermark. Choose a number, a time or a text that grows whenever a row changes.`,
  );
}

function canBePassed(type: string): (value: string) => string {
  // Nanoseconds end in the year 2262.
  if (type === "TIMESTAMP_NS") return (value) => `isfinite(${value})`;
  if (/^(DATE|TIMESTAMP)/.test(type)) {
    return (value) => `isfinite(${value}) AND ${value} < CAST('9999-01-01' AS ${type})`;
  }
  if (type === "FLOAT" || type === "DOUBLE") return (value) => `isfinite(${value})`;
  const greatest = { INTEGER: "2147483647", BIGINT: "9223372036854775807" }[type];
  return greatest === undefined ? () => "true" : (value) => `${value} < ${greatest}`;
}

const isPlainNumber = (value: string): string => `regexp_full_match(${value}, '-?[0-9]+([.][0-9]+)?')`;

/**
 * A struct that sorts like the number that a text contains: first the sign and the number of digits before the point, then the
 * digits, without zeros at the end. Among negative numbers the digits are inverted, and a shorter text sorts after a longer one.
 */
function numericTextKey(value: string): string {
  const digits = `ltrim(${value}, '-')`;
  const trimmed = `CASE WHEN contains(${digits}, '.') THEN rtrim(rtrim(${digits}, '0'), '.') ELSE ${digits} END`;
  const length = `length(split_part(${digits}, '.', 1))`;
  const inverted = `translate(${trimmed}, '0123456789.', '9876543210:') || '~'`;
  return `CASE WHEN NOT ${isPlainNumber(value)} THEN {'size': CASE WHEN starts_with(${value}, '-') THEN -2147483647 ELSE 2147483647 END, 'digits': ${value}} WHEN starts_with(${value}, '-') THEN {'size': -${length}, 'digits': ${inverted}} ELSE {'size': ${length}, 'digits': ${trimmed}} END`;
}

export interface NextWatermark {
  /** The greatest value that can be passed, or the earlier watermark if that is greater, as text. */
  readonly value: string | null;
  /** The rows whose value cannot be passed. */
  readonly endless: number;
}

export async function nextWatermark(
  connection: DuckDBConnection,
  rows: string,
  column: WarehouseColumn | undefined,
  before: string | null,
): Promise<NextWatermark> {
  if (!column) return { value: null, endless: 0 };
  const order = watermarkOrder(column);
  const value = "watermark";
  const greatest = column.isNumericText ? `arg_max(${value}, ${order.key(value)})` : `max(${value})`;
  const passable = order.canBePassed(value);
  const read = await connection.runAndReadAll(
    `SELECT CAST(${greatest} FILTER (${passable}) AS VARCHAR), count(*) FILTER (NOT (${passable})) FROM (SELECT ${castColumn(column)} AS ${value} FROM ${rows})`,
  );
  const [found, endless] = read.getRowsJson()[0] ?? [];
  const next = found === null || found === undefined ? null : String(found);
  const isGreater =
    next !== null && (before === null || (await isGreaterText(connection, column, next, before)));
  return { value: isGreater ? next : before, endless: Number(endless) };
}

async function isGreaterText(
  connection: DuckDBConnection,
  column: WarehouseColumn,
  text: string,
  other: string,
): Promise<boolean> {
  const typed = (one: string) => `CAST(${literal(one)} AS ${column.type})`;
  return (
    (await scalar(connection, `SELECT ${watermarkOrder(column).greater(typed(text), typed(other))}`)) === true
  );
}

/** Sentences about rows that have no position in the order, and about a watermark that is ahead of time. */
export async function watermarkWarnings(
  connection: DuckDBConnection,
  column: WarehouseColumn | undefined,
  { value, endless }: NextWatermark,
  now: string,
): Promise<string[]> {
  if (!column) return [];
  const name = JSON.stringify(column.name);
  const warnings: string[] = [];
  if (endless > 0) {
    warnings.push(
      `${counted(endless, "row")} ${verbFor(endless, "has", "have")} a value in ${name} that no later row can exceed, such as infinity or the year 9999. ${verbFor(endless, "It does", "They do")} not advance the watermark, and every run reads ${verbFor(endless, "it", "them")} again.`,
    );
  }
  if (value === null || !/^(DATE|TIMESTAMP)/.test(column.type)) return warnings;
  const tomorrow = `CAST(${literal(now)} AS TIMESTAMPTZ) + INTERVAL 1 DAY`;
  const isAhead = await scalar(connection, `SELECT CAST(${literal(value)} AS TIMESTAMPTZ) > ${tomorrow}`);
  if (isAhead === true) {
    warnings.push(`the watermark ${value} is in the future. Rows with an earlier ${name} are not read.`);
  }
  return warnings;
}

/** SQL: the rows that a run may have read before: at the watermark, without one, or with one that cannot be passed. */
export function mayExist(column: WarehouseColumn, since: string): string {
  const value = quote(column.name);
  const { equal, canBePassed: isCandidate } = watermarkOrder(column);
  return `(${equal(value, `CAST(${literal(since)} AS ${column.type})`)} OR ${value} IS NULL OR NOT (${isCandidate(value)}))`;
}

/** SQL: the rows that are new or changed since the watermark was written. */
export function isNewer(column: WarehouseColumn, since: string): string {
  const value = quote(column.name);
  const { greater, canBePassed: isCandidate } = watermarkOrder(column);
  return `(${greater(value, `CAST(${literal(since)} AS ${column.type})`)} AND ${isCandidate(value)})`;
}

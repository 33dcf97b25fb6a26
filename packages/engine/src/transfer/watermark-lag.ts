import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { literal, quote } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { isNewer, watermarkOrder } from "./watermark.ts";

/**
 * The rows that earlier runs could have read and that this run reads again: a transaction that took its value before
 * the watermark may have been committed after the run that stored the watermark.
 */
export interface Overlap {
  /** The watermark less the lag; null: that is below every value of its type, so all rows are read. */
  readonly from: string | null;
  /**
   * The source reads from the watermark on, in its own order of texts as well. In that order the next row can have any
   * value, so `from` is null.
   */
  readonly isCollated?: true;
}

/**
 * Undefined without a lag or a watermark, unless the source orders text by a collation. Throws a DataProblem if a lag
 * cannot be subtracted from the values of the column.
 */
export async function readOverlap(
  connection: DuckDBConnection,
  { source, watermarkLag = 0 }: Pick<Dataset, "source" | "watermarkLag">,
  column: WarehouseColumn | undefined,
  watermark: string | null | undefined,
): Promise<Overlap | undefined> {
  if (!column) return undefined;
  if (watermarkLag === 0) {
    const isCollated = column.sourceOrder === "collation" && typeof watermark === "string";
    return isCollated ? { from: null, isCollated } : undefined;
  }
  if (!isTime(column) && !isNumber(column)) {
    throw new DataProblem(
      `watermark_lag needs a watermark that is a number, a date or a timestamp, but ${JSON.stringify(column.name)} of ${source} has the type ${column.origin}. Remove watermark_lag, or choose another watermark_column.`,
    );
  }
  if (watermark === null || watermark === undefined) return undefined;
  return { from: await lessLag(connection, column, watermark, watermarkLag) };
}

/** A watermark less the lag of a dataset, as text; null: below every value of the type. */
export async function lessLag(
  connection: DuckDBConnection,
  column: WarehouseColumn,
  watermark: string,
  lag: number,
): Promise<string | null> {
  const value = isTime(column) ? timeBefore(column, watermark, lag) : numberBelow(column, watermark, lag);
  if (value === undefined) return null;
  const found = await scalar(connection, `SELECT CAST(TRY_CAST(TRY(${value}) AS ${column.type}) AS VARCHAR)`);
  // MySQL cannot read a time before the first year.
  return found === null || found === undefined || String(found).includes("(BC)") ? null : String(found);
}

const isTime = ({ type }: WarehouseColumn): boolean => /^(DATE$|TIMESTAMP)/.test(type);
const isNumber = ({ type, isNumericText }: WarehouseColumn): boolean =>
  isNumericText === true || /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\))$/.test(type);

/** SQL. A lag smaller than the unit of the type is rounded up: a lag may be longer, never shorter. */
function timeBefore({ type }: WarehouseColumn, watermark: string, seconds: number): string {
  const time = type === "TIMESTAMP WITH TIME ZONE" ? type : "TIMESTAMP";
  const earlier = `CAST(${literal(watermark)} AS ${time}) - to_microseconds(${BigInt(Math.ceil(Math.min(seconds * 1e6, 9e18)))})`;
  const unit = { DATE: "day", TIMESTAMP_S: "second", TIMESTAMP_MS: "millisecond" }[type];
  return unit === undefined ? earlier : `date_trunc('${unit}', ${earlier})`;
}

const decimals = 9;

/**
 * SQL; undefined if the text is not a plain number. Exact except for floating point. The result is rounded down to the
 * scale of the type.
 */
function numberBelow(
  { type, isNumericText }: WarehouseColumn,
  watermark: string,
  lag: number,
): string | undefined {
  if (type === "FLOAT" || type === "DOUBLE") return literal(String(Number(watermark) - lag));
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(watermark);
  if (!found) return undefined;
  const [, sign, whole = "", part = ""] = found;
  const digits = Math.max(decimals, part.length);
  const value = BigInt(`${sign}${whole}${part.padEnd(digits, "0")}`);
  const lagged =
    value -
    BigInt(Math.trunc(lag)) * 10n ** BigInt(digits) -
    BigInt(Math.ceil((lag % 1) * 10 ** decimals)) * 10n ** BigInt(digits - decimals);
  const scale = isNumericText ? digits : Number(/,\s*(\d+)\)$/.exec(type)?.[1] ?? 0);
  const step = 10n ** BigInt(Math.max(0, digits - scale));
  const kept = lagged - (((lagged % step) + step) % step);
  const text = String(kept < 0n ? -kept : kept).padStart(digits + 1, "0");
  const point = text.length - digits;
  const fraction = text.slice(point).replace(/0+$/, "");
  return literal(`${kept < 0n ? "-" : ""}${text.slice(0, point)}${fraction && `.${fraction}`}`);
}

/**
 * SQL: the existing rows that a row of the overlap can be equal to: those with a value in the overlap, and those that
 * every run reads.
 */
export function isInOverlap(column: WarehouseColumn, { from }: Overlap, since: string): string {
  const order = watermarkOrder(column);
  const value = quote(column.name);
  const isOld = `(${isNewer(column, since)}) IS NOT TRUE`;
  if (from === null) return isOld;
  const isBelow = order.greater(`CAST(${literal(from)} AS ${column.type})`, value);
  return `${isOld} AND (${value} IS NULL OR NOT (${order.canBePassed(value)}) OR NOT (${isBelow}))`;
}

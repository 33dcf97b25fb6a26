import { isDeepStrictEqual } from "node:util";
import { isQuery, type SparkAnswer, type SqlCase } from "./cases.ts";

/** An answer of the warehouse, as callers get it. */
interface WarehouseAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly (readonly unknown[])[];
}

/** What differs from Spark; undefined if nothing does. */
export function differenceFromSpark(
  { text, sql }: SqlCase,
  { columns, rows = [] }: WarehouseAnswer,
  spark: SparkAnswer,
): string | undefined {
  const types = columns.map(({ type }) => comparableType(type));
  const expected = spark.types.map(comparableType);
  if (!isDeepStrictEqual(types, expected)) return `the type is ${types}, in Spark ${expected}`;
  const names = columns.map(({ name }) => name);
  if (isQuery(text) && !isDeepStrictEqual(names, spark.names))
    return `the columns are ${names}, in Spark ${spark.names}`;
  const order = / ORDER BY /.test(sql) ? asIs : sorted;
  const values = order(rows.map((row) => row.map((value, at) => comparable(value, expected[at] ?? ""))));
  const theirs = order(spark.rows.map((row) => row.map((value) => comparable(value))));
  return nearlyEqual(values, theirs)
    ? undefined
    : `the value is ${JSON.stringify(values)}, in Spark ${JSON.stringify(theirs)}`;
}

export const comparableType = (type: string): string => type.toUpperCase().replaceAll(" ", "");

/** Spark's driver writes timestamps with a blank and without a zone, and binary values in hexadecimal digits. */
export function comparable(value: unknown, type = ""): unknown {
  if (typeof value === "number" && type === "FLOAT") return Math.fround(value);
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, comparable(item)]));
  if (typeof value !== "string") return value;
  if (type === "BIGINT" && Math.abs(Number(value)) <= 2 ** 53) return Number(value);
  if (type === "BINARY") return Buffer.from(value, "base64").toString("hex");
  if (/^(?:nan|NaN)$/.test(value)) return "NaN";
  if (/^-?(?:inf|Infinity)$/.test(value)) return value.startsWith("-") ? "-Infinity" : "Infinity";
  const [, day, time = "", fraction = ""] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?Z?$/.exec(value) ?? [];
  return day === undefined ? value : `${day} ${time}${fraction.replace(/\.?0*$/, "")}`;
}

const asIs = (rows: readonly unknown[]): readonly unknown[] => rows;
const sorted = (rows: readonly unknown[]): readonly unknown[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** Both engines compute logarithms and variances in their own way: the last digits of a double may differ. */
export function nearlyEqual(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number")
    return Math.abs(left - right) <= 1e-12 * Math.max(Math.abs(left), Math.abs(right), 1e-3);
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, at) => nearlyEqual(item, right[at]));
  return isDeepStrictEqual(left, right);
}

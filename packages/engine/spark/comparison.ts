import { isDeepStrictEqual } from "node:util";
import { typeParts } from "../src/protocol/types.ts";
import { functionsIn, isQuery, type SparkAnswer, type SqlCase } from "./cases.ts";

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
  const theirs = order(
    spark.rows.map((row) => row.map((value, at) => comparableOfSpark(value, expected[at] ?? ""))),
  );
  return isSame(values, theirs, toleranceOf(text))
    ? undefined
    : `the value is ${JSON.stringify(values)}, in Spark ${JSON.stringify(theirs)}`;
}

export const comparableType = (type: string): string => type.toUpperCase().replaceAll(" ", "");

/**
 * A value of the warehouse as Spark's driver writes values of this type: timestamps with a blank and without a zone,
 * binary values in hexadecimal digits. A text stays as it is.
 */
export function comparable(value: unknown, type: string): unknown {
  if (typeof value === "object" && value !== null) return comparableParts(value, type);
  if (typeof value === "number") return type === "FLOAT" ? Math.fround(value) : value;
  if (typeof value !== "string") return value;
  if (type === "BINARY") return Buffer.from(value, "base64").toString("hex");
  if (type === "BIGINT" && Math.abs(Number(value)) <= 2 ** 53) return Number(value);
  if (type === "FLOAT" || type === "DOUBLE") return specialNumbers.get(value) ?? value;
  if (!type.startsWith("TIMESTAMP")) return value;
  const [, day, time = "", fraction = ""] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?Z?$/.exec(value) ?? [];
  return day === undefined ? value : `${day} ${time}${fraction.replace(/\.?0*$/, "")}`;
}

/** A value as Spark's driver wrote it. Binary values are in hexadecimal digits already. */
export const comparableOfSpark = (value: unknown, type: string): unknown =>
  comparable(value, type.replaceAll(/BINARY(?!:)/g, "STRING"));

function comparableParts(value: object, type: string): unknown {
  const { kind, names, types } = typeParts(type);
  if (Array.isArray(value)) return value.map((item) => comparable(item, types[0] ?? ""));
  const typeOf = (name: string) => types[kind === "MAP" ? 1 : names.indexOf(name.toUpperCase())] ?? "";
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, comparable(item, typeOf(name))]),
  );
}

/** How the warehouse and Spark's driver write the numbers that JSON does not have. */
const specialNumbers: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ["nan", "NaN"],
  ["inf", "Infinity"],
  ["-inf", "-Infinity"],
  ["-0.0", -0],
]);

const asIs = (rows: readonly unknown[]): readonly unknown[] => rows;
const sorted = (rows: readonly unknown[]): readonly unknown[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** With a tolerance, two numbers may differ by this share of them. JSON answers have no negative zero; other rows do. */
export function isSame(ours: unknown, theirs: unknown, tolerance = 0): boolean {
  if (typeof ours === "number" && typeof theirs === "number") {
    if (ours === 0 || theirs === 0) return Object.is(ours, theirs);
    return (
      Object.is(ours, theirs) ||
      Math.abs(ours - theirs) <= tolerance * Math.max(Math.abs(ours), Math.abs(theirs))
    );
  }
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length === theirs.length && ours.every((item, at) => isSame(item, theirs[at], tolerance));
  return isDeepStrictEqual(ours, theirs);
}

/** Java and DuckDB compute these in their own ways: the last digits of a DOUBLE may differ. Everything else is exact. */
const inexact = new Set(
  (
    "acos acosh asin asinh atan atan2 atanh cos cosh cot csc sec sin sinh tan tanh cbrt exp expm1 hypot ln log log10 log1p log2 pow power " +
    "corr covar_pop covar_samp kurtosis skewness std stddev stddev_pop stddev_samp var_pop var_samp variance " +
    "regr_avgx regr_avgy regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy"
  ).split(" "),
);

export const toleranceOf = (expression: string): number =>
  functionsIn(expression).some((name) => inexact.has(name)) ? 1e-12 : 0;

/** Compares what a column holds with what Spark stores. */
import { comparable, comparableOfSpark, comparableType, isSame } from "./comparison.ts";

/** Where the embedded platform stores another value than Spark, as docs/reference/sql.md says it. Spark's own value is what is recorded. */
export const namedDifferences: readonly {
  readonly difference: string;
  readonly isOf: (value: string, type: string) => boolean;
  readonly stored: (sparks: string) => unknown;
}[] = [
  {
    difference: "CHAR(n) is not filled up with blanks",
    isOf: (_, type) => type.startsWith("CHAR("),
    stored: (sparks) => sparks.trimEnd(),
  },
  {
    difference: "a DOUBLE as text has as few digits as it needs; Java 17 writes some with one more",
    isOf: (value, type) => value === "9.223372036854775E18D" && type === "STRING",
    stored: () => "9.223372036854775E18",
  },
  {
    difference: "a DOUBLE as text has as few digits as it needs; Java 17 writes some with one more",
    isOf: (value, type) => value === "9.223372036854775E18D" && type === "DECIMAL(38,0)",
    stored: () => "9223372036854775000",
  },
];

/** What differs; undefined if nothing does. `value` is the SQL of what was written. */
export function differenceFromStored(
  found: unknown,
  value: string,
  type: string,
  sparks: unknown,
): string | undefined {
  const ours = comparable(found, comparableType(type));
  const named = namedDifferences.find(({ isOf }) => isOf(value, type));
  const stored = named && typeof sparks === "string" ? named.stored(sparks) : sparks;
  const theirs = comparableOfSpark(stored, comparableType(type));
  return isSame(ours, theirs) ? undefined : `is ${JSON.stringify(ours)}, in Spark ${JSON.stringify(theirs)}`;
}

/** Casts that Spark has and the embedded platform refuses with an error. */
export const isUnsupportedCast = (
  { from, value }: { readonly from: string; readonly value: string },
  type: string,
): boolean =>
  // The microseconds are beyond BIGINT: Spark takes the last 64 bits of them.
  (type === "TIMESTAMP" && from === "DECIMAL(38,0)" && value.length > "CAST('5' AS DECIMAL(38,0))".length) ||
  // DuckDB casts fields by their names.
  (from.startsWith("STRUCT<x: ") && type.startsWith("STRUCT<")) ||
  // 2^63, which Spark casts to the largest BIGINT.
  (value === "9.223372036854775807E18D" && type === "BIGINT") ||
  // Beyond the range of FLOAT, which Spark casts to infinity.
  (value === "1E300D" && type === "FLOAT");

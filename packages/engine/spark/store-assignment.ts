/** Values that are written into columns of every type, and what Spark stores. */
import { readFileSync } from "node:fs";

/**
 * The file of Spark's results. `UPDATE_SPARK_RESULTS=1 npm run test:spark -- …/store-assignment.spark.ts` writes it.
 */
export const assignmentsFile = new URL("store-assignment.jsonl", import.meta.url);

/** A line of store-assignment.jsonl. */
export interface RecordedAssignment {
  readonly from: string;
  readonly value: string;
  /** By the type of the column: what Spark stores, or its name for the error. */
  readonly stored: Readonly<Record<string, SparkOutcome>>;
  /** By the type: what Spark's CAST returns. */
  readonly cast: Readonly<Record<string, SparkOutcome>>;
}

export type SparkOutcome = { readonly value: unknown } | { readonly error: string };

export const columnTypes: readonly string[] = [
  "BOOLEAN",
  "TINYINT",
  "SMALLINT",
  "INT",
  "BIGINT",
  "FLOAT",
  "DOUBLE",
  "DECIMAL(5,2)",
  "DECIMAL(20,10)",
  "DECIMAL(38,0)",
  "STRING",
  "VARCHAR(3)",
  "CHAR(5)",
  "BINARY",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMP_NTZ",
  "ARRAY<INT>",
  "ARRAY<STRING>",
  "MAP<STRING, INT>",
  "STRUCT<a: INT, b: STRING>",
];

/** The types that values can have: the value of a VARCHAR or a CHAR is a STRING. */
export const castTypes: readonly string[] = columnTypes.filter((type) => !type.includes("CHAR("));

const decimals = (type: string, ...texts: readonly string[]): string[] =>
  texts.map((text) => `CAST('${text}' AS ${type})`);

/** Values of each type at the edges of the others. */
export const assignedValues: Readonly<Record<string, readonly string[]>> = {
  VOID: ["NULL"],
  BOOLEAN: ["true", "false", "CAST(NULL AS BOOLEAN)"],
  TINYINT: ["1Y", "127Y", "CAST(-128 AS TINYINT)"],
  SMALLINT: ["1S", "128S", "32767S", "CAST(-32768 AS SMALLINT)"],
  INT: ["3", "1000", "99999", "2147483647", "-2147483648", "CAST(NULL AS INT)"],
  BIGINT: ["3L", "2147483648L", "16777217L", "9223372036854775807L", "CAST(-9223372036854775808 AS BIGINT)"],
  FLOAT: [
    "CAST(3.7 AS FLOAT)",
    "CAST(-3.7 AS FLOAT)",
    "CAST(0.1 AS FLOAT)",
    "CAST('NaN' AS FLOAT)",
    "CAST('Infinity' AS FLOAT)",
    "CAST(16777216 AS FLOAT)",
  ],
  DOUBLE: [
    "3.7D",
    "-3.7D",
    "2.5D",
    "1.005D",
    "2.675D",
    "127.9D",
    "128D",
    "-128.9D",
    "2147483647.5D",
    "3E9D",
    "9.223372036854775E18D",
    "9.223372036854775807E18D",
    "1E19D",
    "1E300D",
    "1E-5D",
    "12345678.9D",
    "-0.0D",
    "CAST('NaN' AS DOUBLE)",
    "CAST('-Infinity' AS DOUBLE)",
  ],
  "DECIMAL(5,2)": decimals("DECIMAL(5,2)", "3.70", "-3.99", "127.50", "128.00", "999.99"),
  "DECIMAL(20,10)": decimals(
    "DECIMAL(20,10)",
    "3.7000000000",
    "1.0050000000",
    "-1.0050000000",
    "999.9949999999",
    "999.9950000000",
    "2147483647.9999999999",
    "-2147483648.9",
    "2147483648",
  ),
  "DECIMAL(38,0)": decimals(
    "DECIMAL(38,0)",
    "5",
    "99999999999999999999999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
  ),
  STRING: [
    "''",
    "'ab'",
    "'abc'",
    "'abc   '",
    "'ab       '",
    "'abcdef'",
    "'   abcdef'",
    "'5'",
    "'true'",
    "'3.7'",
    "' 12 '",
    "'1e3'",
    "'128'",
    "'yes'",
    "'2026-01-01'",
    "'2026-01-02 13:00:00.5'",
    "'ÄÖÜ'",
    "'😀😀😀'",
    "CAST(NULL AS STRING)",
  ],
  BINARY: ["X'616263'", "X''", "X'61626364656667'"],
  DATE: ["DATE'2026-01-31'", "DATE'1900-01-01'", "DATE'9999-12-31'"],
  TIMESTAMP: ["TIMESTAMP'2026-01-02 13:00:00.123456'", "TIMESTAMP'1969-12-31 23:59:59.5'"],
  TIMESTAMP_NTZ: [
    "CAST('2026-01-02 13:00:00.123456' AS TIMESTAMP_NTZ)",
    "CAST('1969-12-31 23:59:59.5' AS TIMESTAMP_NTZ)",
  ],
  "ARRAY<INT>": ["array(1, 2)", "array(1, CAST(NULL AS INT))"],
  "ARRAY<DOUBLE>": ["array(1.5D, -2.9D)", "array(3E9D)", "CAST(NULL AS ARRAY<DOUBLE>)"],
  "ARRAY<STRING>": ["array('1')", "array('1.5', 'x')"],
  "ARRAY<BOOLEAN>": ["array(true, CAST(NULL AS BOOLEAN))"],
  "ARRAY<DATE>": ["array(DATE'2026-01-01')"],
  "MAP<STRING, INT>": ["map('x', 1)"],
  "MAP<INT, DOUBLE>": ["map(1, 2.9D)"],
  "MAP<STRING, STRING>": ["map('x', '1')"],
  "STRUCT<a: INT, b: STRING>": ["named_struct('a', 1, 'b', 'x')"],
  "STRUCT<a: DOUBLE, b: INT>": ["named_struct('a', 3.7D, 'b', 5)", "named_struct('a', 3E9D, 'b', 5)"],
  "STRUCT<a: STRING, b: DOUBLE>": ["named_struct('a', '5', 'b', 1E20D)", "named_struct('a', '5.5', 'b', 1D)"],
  "STRUCT<x: INT, y: STRING>": ["named_struct('x', 1, 'y', 'z')"],
  "STRUCT<b: STRING, a: INT>": ["named_struct('b', 'x', 'a', 1)"],
  "STRUCT<a: INT>": ["named_struct('a', 1)"],
  "STRUCT<a: INT, b: STRING, c: INT>": ["named_struct('a', 1, 'b', 'x', 'c', 2)"],
};

export const readAssignments = (): readonly RecordedAssignment[] =>
  readFileSync(assignmentsFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

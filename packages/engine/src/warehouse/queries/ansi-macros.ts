import { raise } from "./raised-error.ts";

const byZero =
  "'DIVIDE_BY_ZERO: a number was divided by zero. Write nullif(divisor, 0) to get NULL instead.'";

/** A divisor that raises an error if it is zero. NULL divided by zero is NULL, as in Databricks. */
const nonZero = (divisor: string, like = divisor): string =>
  `CASE WHEN ${divisor} = 0 THEN CASE WHEN number IS NOT NULL THEN ${raise(byZero, like)} END ELSE ${divisor} END`;

/**
 * A value of a type that trunc() accepts. Only the type matters: texts and timestamps never get here (moment-casts.ts).
 */
const numeric =
  "replace_type(replace_type(replace_type(replace_type(value, NULL::JSON, NULL::VARCHAR), NULL::VARCHAR, NULL::BIGINT), NULL::BOOLEAN, NULL::TINYINT), NULL::TIMESTAMPTZ, NULL::BIGINT)";
const isWhole = "regexp_full_match(CAST(value AS VARCHAR), '\\s*[+-]?[0-9]+\\s*')";

const malformed = (type: string): string =>
  `'CAST_INVALID_INPUT: Could not convert string ''' || left(CAST(value AS VARCHAR), 200) || ''' to ${type}. Use try_cast to get NULL instead.'`;

/** DuckDB's integer types, and their names in Databricks. A cast truncates decimals. */
export const wholeTypes: ReadonlyMap<string, string> = new Map([
  ["TINYINT", "tinyint"],
  ["SMALLINT", "smallint"],
  ["INTEGER", "int"],
  ["BIGINT", "bigint"],
]);

/** A plain cast is enough for these types. DuckDB can push a filter through it. */
const isWholeAlready = "typeof(value) IN ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'BOOLEAN')";

/**
 * `int('3')`: these are functions in Databricks, and CAST is translated to them. typeof() is evaluated before rows are
 * read.
 */
export const wholeCasts: readonly string[] = [...wholeTypes].map(
  ([type, name]) =>
    `${name}(value) AS CASE WHEN typeof(value) = 'VARCHAR' ` +
    `THEN CASE WHEN ${isWhole} THEN CAST(value AS ${type}) ELSE ${raise(malformed(name.toUpperCase()), `NULL::${type}`)} END ` +
    `WHEN ${isWholeAlready} THEN CAST(value AS ${type}) ELSE CAST(trunc(${numeric}) AS ${type}) END`,
);

const digits = "rtrim(ltrim(replace(regexp_extract(t, '^-?([0-9.]+)', 1), '.', ''), '0'), '0')";
const exponent =
  "CASE WHEN contains(t, 'e') THEN CAST(ltrim(split_part(t, 'e', 2), '+') AS INTEGER) WHEN regexp_matches(t, '^-?0[.]') THEN -1 - length(regexp_extract(t, '^-?0[.](0*)', 1)) ELSE length(regexp_extract(t, '^-?([0-9]+)', 1)) - 1 END";

/** Java writes a DOUBLE of 10 million or more, or below 0.001, with an exponent. DuckDB has the same digits. */
const doubleText =
  "list_transform([CAST(number AS VARCHAR)], lambda t: CASE WHEN t = '5e-324' THEN '4.9E-324' WHEN t = '-5e-324' THEN '-4.9E-324' WHEN t = 'nan' THEN 'NaN' WHEN t = 'inf' THEN 'Infinity' WHEN t = '-inf' THEN '-Infinity' " +
  "WHEN NOT (contains(t, 'e') OR regexp_matches(t, '^-?([0-9]{8,}|0[.]000)')) THEN t " +
  `ELSE CASE WHEN starts_with(t, '-') THEN '-' ELSE '' END || left(${digits}, 1) || '.' || CASE WHEN length(${digits}) > 1 THEN substring(${digits}, 2) ELSE '0' END || 'E' || (${exponent}) END)[1]`;

/**
 * Macros that replace operators. None has typed parameters: DuckDB cannot resolve such overloads if an argument is an
 * aggregate.
 */
export const operators: readonly string[] = [
  ...[...wholeTypes].map(
    ([type, name]) =>
      `try_${name}(value) AS CASE WHEN typeof(value) = 'VARCHAR' ` +
      `THEN CASE WHEN ${isWhole} THEN TRY_CAST(value AS ${type}) END ELSE TRY_CAST(trunc(${numeric}) AS ${type}) END`,
  ),
  // FLOAT divided by FLOAT is a DOUBLE as well.
  // The difference is never computed: DuckDB's binder refuses it for texts, and tells the types of both operands.
  `divide(number, divisor) AS CASE WHEN false THEN CAST(number - divisor AS DOUBLE) ELSE number / ${nonZero("CAST(divisor AS DOUBLE)", "NULL::DOUBLE")} END`,
  // The quotient of integers of any size, rounded half up. The operands are computed once, before the lambda.
  `quotient(number, divisor) AS list_transform([{'number': number, 'divisor': divisor}], lambda pair: CASE WHEN pair.divisor = 0 THEN CASE WHEN pair.number IS NOT NULL THEN ${raise(byZero, "NULL::HUGEINT")} END ELSE pair.number // pair.divisor + CASE WHEN abs(pair.number % pair.divisor) >= abs(pair.divisor) - abs(pair.number % pair.divisor) THEN CASE WHEN (pair.number < 0) <> (pair.divisor < 0) THEN -1 ELSE 1 END ELSE 0 END END)[1]`,
  `double_text(number) AS ${doubleText}`,
  "without_ligatures(text) AS replace(replace(replace(replace(replace(replace(replace(CAST(text AS VARCHAR), 'ß', 'SS'), 'ﬀ', 'FF'), 'ﬁ', 'FI'), 'ﬂ', 'FL'), 'ﬃ', 'FFI'), 'ﬄ', 'FFL'), 'ŉ', 'ʼN')",
  `div(number, divisor) AS CAST(trunc(number // ${nonZero("divisor")}) AS BIGINT)`,
  `mod(number, divisor) AS number % ${nonZero("divisor")}`,
  "total(number) AS replace_type(number, NULL::HUGEINT, NULL::BIGINT)",
  "local(value) AS replace_type(value, NULL::TIMESTAMPTZ, NULL::TIMESTAMP)",
  "shift(moment, shifted) AS cast_to_type(shifted, moment)",
  "moment(day) AS replace_type(day, NULL::DATE, NULL::TIMESTAMPTZ)",
  "substring(text, first) AS substring(text, CASE WHEN first = 0 THEN 1 ELSE first END)",
  "substring(text, first, number) AS substring(text, CASE WHEN first = 0 THEN 1 ELSE first END, CASE WHEN number < 0 THEN 0 ELSE number END)",
];

/** The remainder has the sign of the dividend. Only a negative one is shifted. */
export const pmodMacro =
  `pmod(number, divisor) AS CASE WHEN number % ${nonZero("divisor")} < 0 ` +
  "THEN (number % divisor + divisor) % divisor ELSE number % divisor END";

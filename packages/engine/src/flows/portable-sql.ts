import { callNow } from "@lakehelm/sql";
import { duckdbDialect } from "../warehouse/queries/duckdb-dialect.ts";

/** Spark functions that the steps of a flow use, and that have other names in DuckDB. */
export const macros: readonly string[] = [
  "CREATE OR REPLACE TEMP MACRO sha2(text, bits) AS CASE WHEN bits = 256 THEN sha256(text) ELSE error('sha2 supports only 256 bits') END",
  "CREATE OR REPLACE TEMP MACRO unix_micros(moment) AS epoch_us(moment)",
  "CREATE OR REPLACE TEMP MACRO pmod(number, divisor) AS (number % divisor)::BIGINT",
];

/**
 * Translates a generated statement to DuckDB SQL. SQL of callers is prepared elsewhere, because its names must be resolved.
 */
export function portable(sql: string): string {
  const own = sql
    // Storage options only apply to Delta. Names have no line breaks, so this is the end of the column list.
    .replace(/\n\)\nUSING DELTA\n.*$/s, "\n)")
    // DuckDB's to_json has no options, and writes microseconds anyway.
    .replace(/, map\('timestampFormat'[^()]*\)/g, "");
  const translated = duckdbDialect(own, callNow);
  if ("error" in translated)
    throw new Error(`A statement of a flow cannot be translated to DuckDB SQL: ${translated.error}\n${own}`);
  return translated.sql;
}

/**
 * A SELECT whose casts fail if a value does not fit, as in Databricks. The library translates every cast to TRY_CAST; the
 * views of a flow must not use it.
 */
export const strict = (sql: string): string =>
  portable(sql).replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\bTRY_CAST\(/g, (found) =>
    found === "TRY_CAST(" ? "CAST(" : found,
  );

export const portableExpression = (expression: string): string =>
  portable(`SELECT ${expression}`).slice("SELECT ".length);

/** Removes the comment of the only column, as in the table of unmatched rows: DuckDB needs a separate statement for it. */
export const withoutComment = (sql: string): string => sql.replace(/ COMMENT '(?:[^'\\]|\\.)*'/, "");

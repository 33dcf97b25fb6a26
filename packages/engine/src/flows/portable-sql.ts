import { Dialect, transpile } from "@polyglot-sql/sdk";

/** Functions of Spark that the steps of a flow use, and that DuckDB knows under other names. */
export const macros: readonly string[] = [
  "CREATE OR REPLACE TEMP MACRO sha2(text, bits) AS CASE WHEN bits = 256 THEN sha256(text) ELSE error('sha2 is there with 256 bits only') END",
  "CREATE OR REPLACE TEMP MACRO unix_micros(moment) AS epoch_us(moment)",
  "CREATE OR REPLACE TEMP MACRO pmod(number, divisor) AS (number % divisor)::BIGINT",
];

/** A statement that code generation has written, for DuckDB. What callers have written goes another way: it has names. */
export function portable(sql: string): string {
  const own = sql
    // How a table is stored is Delta's affair. No name has a line end in it, so this is the end of the columns.
    .replace(/\n\)\nUSING DELTA\n.*$/s, "\n)")
    // DuckDB's to_json takes no options, and needs none: it writes microseconds.
    .replace(/, map\('timestampFormat'[^)]*\)/g, "");
  const { success, sql: written, error } = transpile(own, Dialect.Databricks, Dialect.DuckDB);
  const [one] = written ?? [];
  if (!success || one === undefined || written?.length !== 1)
    throw new Error(`A statement of a flow is not one for DuckDB: ${error}\n${own}`);
  return one;
}

/**
 * A SELECT whose casts fail where a value does not fit, as they do in Databricks. The library takes every cast for one that
 * may fail; in the views of a flow none may.
 */
export const strict = (sql: string): string =>
  portable(sql).replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\bTRY_CAST\(/g, (found) =>
    found === "TRY_CAST(" ? "CAST(" : found,
  );

/** An expression by itself. */
export const portableExpression = (expression: string): string =>
  portable(`SELECT ${expression}`).slice("SELECT ".length);

/** A table whose only column is described, as that of unmatched rows: DuckDB describes columns apart. */
export const withoutComment = (sql: string): string => sql.replace(/ COMMENT '(?:[^'\\]|\\.)*'/, "");

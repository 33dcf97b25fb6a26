/** SQL over relations. A relation is a name or a SELECT in parentheses. Columns are always quoted. */

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { quote } from "./names.ts";

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const columnList = (columns: readonly WarehouseColumn[], prefix = ""): string =>
  columns.map(({ name }) => prefix + quote(name)).join(", ");

/** Whether two rows have the same key. */
export const sameKey = (keys: readonly string[], one: string, other: string): string =>
  keys.map((key) => `${one}.${quote(key)} = ${other}.${quote(key)}`).join(" AND ");

/** Whether two rows have the same values. NULL equals NULL, and JSON is compared without its whitespace. */
export const sameRow = (columns: readonly WarehouseColumn[], one: string, other: string): string =>
  columns
    .map(({ name, type }) => {
      const [a, b] = [one, other].map((row) => `${row}.${quote(name)}`);
      return type === "JSON"
        ? `json(${a}) IS NOT DISTINCT FROM json(${b})`
        : `${a} IS NOT DISTINCT FROM ${b}`;
    })
    .join(" AND ");

/** SQL: a value to hash. DuckDB gives NULL and an empty list the same hash, and JSON is compared without its whitespace. */
export function hashed(value: string, type: string): string {
  if (type === "JSON") return `json(${value})`;
  return /\]$|^(STRUCT|MAP|UNION)\(/.test(type) ? `to_json(${value})::VARCHAR` : value;
}

/** Whether two relations hold the same rows, each the same number of times. Compares counts and hash sums in one pass. */
export async function sameContent(
  connection: DuckDBConnection,
  one: string,
  other: string,
  columns: readonly WarehouseColumn[],
): Promise<boolean> {
  const values = columns.map(({ name, type }) => hashed(quote(name), type)).join(", ");
  const fingerprint = (relation: string) =>
    scalar(
      connection,
      `SELECT [count(*)::VARCHAR, sum(hash(${values})::HUGEINT)::VARCHAR, bit_xor(hash(${values}))::VARCHAR]::VARCHAR FROM ${relation}`,
    );
  return (await fingerprint(one)) === (await fingerprint(other));
}

/** A key as text, by which stored rejects are found. */
export const keyText = (keys: readonly string[], prefix = ""): string =>
  keys.length === 0
    ? "NULL"
    : `to_json([${keys.map((key) => `CAST(${prefix}${quote(key)} AS VARCHAR)`).join(", ")}])::VARCHAR`;

/** The row as JSON. */
export const rowText = (columns: readonly WarehouseColumn[], prefix = ""): string =>
  `to_json({${columns.map(({ name }) => `${quote(name)}: ${prefix}${quote(name)}`).join(", ")}})::VARCHAR`;

/** Runs a statement and returns the number of rows that it changed. */
export async function rowsChanged(connection: DuckDBConnection, sql: string): Promise<number> {
  return (await connection.run(sql)).rowsChanged;
}

/** The first value of the first row. */
export async function scalar(connection: DuckDBConnection, sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0] ?? null;
}

export const countRows = async (connection: DuckDBConnection, relation: string): Promise<number> =>
  Number(await scalar(connection, `SELECT count(*) FROM ${relation}`));

/** The names as the table spells them. Throws a DataProblem if a column is missing. */
export function requireColumns(
  columns: readonly WarehouseColumn[],
  names: readonly string[],
  role: string,
  dataset: string,
): string[] {
  return names.map((name) => {
    const found = columns.find((column) => sameName(column.name, name));
    if (found) return found.name;
    throw new DataProblem(
      `${dataset} has no column ${JSON.stringify(name)}, which is configured as its ${role}. Available columns: ${columns.map((column) => column.name).join(", ")}.`,
    );
  });
}

/** Throws a DataProblem if two names differ only in case. */
export function requireDistinctNames(columns: readonly WarehouseColumn[], dataset: string): void {
  for (const [at, { name }] of columns.entries()) {
    const duplicate = columns.slice(0, at).find((other) => sameName(other.name, name));
    if (duplicate) {
      throw new DataProblem(
        `${dataset} has the columns ${JSON.stringify(duplicate.name)} and ${JSON.stringify(name)}. Column names in the warehouse are not case-sensitive: rename one of them, or leave it out.`,
      );
    }
  }
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { quote } from "./names.ts";

/** SQL about the rows of one run. Relations are names or SELECTs in brackets; columns are always quoted. */

export const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const list = (columns: readonly WarehouseColumn[], of = ""): string =>
  columns.map(({ name }) => of + quote(name)).join(", ");

/** Whether two rows have the same key. */
export const sameKey = (keys: readonly string[], one: string, other: string): string =>
  keys.map((key) => `${one}.${quote(key)} = ${other}.${quote(key)}`).join(" AND ");

/** Whether two rows have the same values; NULL is the same as NULL, and JSON is the same however it is spaced. */
export const sameRow = (columns: readonly WarehouseColumn[], one: string, other: string): string =>
  columns
    .map(({ name, type }) => {
      const [a, b] = [one, other].map((row) => `${row}.${quote(name)}`);
      return type === "JSON"
        ? `json(${a}) IS NOT DISTINCT FROM json(${b})`
        : `${a} IS NOT DISTINCT FROM ${b}`;
    })
    .join(" AND ");

/** A key as text, the same for the same key: how a reject is found again. */
export const keyText = (keys: readonly string[], of = ""): string =>
  keys.length === 0
    ? "NULL"
    : `to_json([${keys.map((key) => `CAST(${of}${quote(key)} AS VARCHAR)`).join(", ")}])::VARCHAR`;

/** The whole row as JSON. */
export const rowText = (columns: readonly WarehouseColumn[], of = ""): string =>
  `to_json({${columns.map(({ name }) => `${quote(name)}: ${of}${quote(name)}`).join(", ")}})::VARCHAR`;

/** How many rows a statement has changed. */
export async function changed(connection: DuckDBConnection, sql: string): Promise<number> {
  return (await connection.run(sql)).rowsChanged;
}

export async function value(connection: DuckDBConnection, sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0] ?? null;
}

export const count = async (connection: DuckDBConnection, relation: string): Promise<number> =>
  Number(await value(connection, `SELECT count(*) FROM ${relation}`));

/** The columns as the table has them, by the names that a caller gave in any case. */
export function named(
  columns: readonly WarehouseColumn[],
  names: readonly string[],
  role: string,
  dataset: string,
): string[] {
  return names.map((name) => {
    const found = columns.find((column) => same(column.name, name));
    if (found) return found.name;
    throw new DataProblem(
      `${dataset} has no column ${JSON.stringify(name)}, which is its ${role}. It has ${columns.map((column) => column.name).join(", ")}.`,
    );
  });
}

/** Names that differ in case alone cannot stand in one table. */
export function refuseTwins(columns: readonly WarehouseColumn[], dataset: string): void {
  for (const [at, { name }] of columns.entries()) {
    const twin = columns.slice(0, at).find((other) => same(other.name, name));
    if (twin) {
      throw new DataProblem(
        `${dataset} has the columns ${JSON.stringify(twin.name)} and ${JSON.stringify(name)}: the warehouse does not tell case apart.`,
      );
    }
  }
}

import type { DuckDBConnection } from "@duckdb/node-api";
import { rowNumber } from "../warehouse/row-numbers.ts";

/**
 * SQL: DuckDB's own number of a row. Rows that need more memory than there is are sorted and joined by this number.
 * Undefined if the relation is a subquery without row ids, or has a column with this name.
 */
export async function rowIdOf(connection: DuckDBConnection, relation: string): Promise<string | undefined> {
  const types = await columnTypes(connection, relation);
  if (types.has(rowNumber)) return rowNumber;
  return relation.startsWith("(") || types.has("rowid") ? undefined : "rowid";
}

/** The rows of a relation with other expressions for some columns. The rows keep their row ids. */
export async function selectReplacing(
  connection: DuckDBConnection,
  relation: string,
  expressions: readonly string[],
): Promise<string> {
  const rowId = await rowIdOf(connection, relation);
  const added = rowId === undefined || rowId === rowNumber ? "" : `${rowId} AS ${rowNumber}, `;
  return `(SELECT ${added}* REPLACE (${expressions.join(", ")}) FROM ${relation})`;
}

/** The types by column name in lower case. */
export async function columnTypes(
  connection: DuckDBConnection,
  relation: string,
): Promise<ReadonlyMap<string, string>> {
  const found = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${relation}`);
  return new Map(found.getRowsJson().map(([name, type]) => [String(name).toLowerCase(), String(type)]));
}

import type { DuckDBConnection } from "@duckdb/node-api";

/** The column of a subquery with the row ids of its table. */
const rowIdColumn = "_lakehelm_row_id";

/** Some rows of a table, which keep their row ids. */
export const selectWithRowIds = (table: string, condition: string): string =>
  `(SELECT rowid AS ${rowIdColumn}, * FROM ${table} WHERE ${condition})`;

/**
 * SQL: DuckDB's own number of a row. By it, rows are sorted and joined that need more memory than there is. Undefined if the
 * relation is a subquery without row ids, or has a column with this name.
 */
export async function rowIdOf(connection: DuckDBConnection, relation: string): Promise<string | undefined> {
  const types = await columnTypes(connection, relation);
  if (types.has(rowIdColumn)) return rowIdColumn;
  return relation.startsWith("(") || types.has("rowid") ? undefined : "rowid";
}

/** The rows of a relation with other expressions for some columns. They keep their row ids. */
export async function selectReplacing(
  connection: DuckDBConnection,
  relation: string,
  expressions: readonly string[],
): Promise<string> {
  const rowId = await rowIdOf(connection, relation);
  const added = rowId === undefined || rowId === rowIdColumn ? "" : `${rowId} AS ${rowIdColumn}, `;
  return `(SELECT ${added}* REPLACE (${expressions.join(", ")}) FROM ${relation})`;
}

/** By name in lower case. */
export async function columnTypes(
  connection: DuckDBConnection,
  relation: string,
): Promise<ReadonlyMap<string, string>> {
  const found = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${relation}`);
  return new Map(found.getRowsJson().map(([name, type]) => [String(name).toLowerCase(), String(type)]));
}

import type { DuckDBConnection } from "@duckdb/node-api";

/**
 * How many rows a statement joins by their keys or row ids. The join keeps all of them in memory, beside the blocks of its
 * tables: 400,000 row ids failed with 32 MB.
 */
const rowsAtOnce = 200_000;

/**
 * Calls `work` for ranges of the rows of a relation, one after the other, with the condition of a row id to be in the range. A
 * relation without row ids is one range.
 */
export async function forRowRanges(
  connection: DuckDBConnection,
  relation: string,
  rowId: string | undefined,
  work: (isInRange: (rowId: string) => string) => Promise<unknown>,
): Promise<void> {
  if (rowId === undefined) return void (await work(() => "true"));
  const found = await connection.runAndReadAll(
    `SELECT min(${rowId})::VARCHAR, max(${rowId})::VARCHAR FROM ${relation}`,
  );
  const [first, last] = found.getRowsJson()[0] ?? [];
  if (typeof first !== "string" || typeof last !== "string") return;
  const step = BigInt(rowsAtOnce);
  for (let from = BigInt(first); from <= BigInt(last); from += step) {
    const to = from + step;
    await work((id) => `${id} >= ${from} AND ${id} < ${to}`);
  }
}

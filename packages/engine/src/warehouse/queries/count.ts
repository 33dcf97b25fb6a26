import { type DuckDBDataChunk, type DuckDBResult, DuckDBTypeId } from "@duckdb/node-api";

const integers: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
]);

/** How many rows there are; the value is that of the only row where it has one column of whole numbers, else the number of rows. */
export async function countOf(
  result: DuckDBResult,
): Promise<{ readonly rows: number; readonly value: number }> {
  let rows = 0;
  let first: DuckDBDataChunk | undefined;
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    first ??= chunk;
    rows += chunk.rowCount;
  }
  const isCount = rows === 1 && result.columnCount === 1 && integers.has(result.columnTypeId(0));
  const only = isCount ? first?.getColumnValues(0)[0] : undefined;
  return { rows, value: only === undefined || only === null ? rows : Number(only) };
}

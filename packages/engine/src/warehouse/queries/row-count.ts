import { type DuckDBResult, DuckDBTypeId, type DuckDBValue } from "@duckdb/node-api";
import { streamChunks } from "../result-chunks.ts";

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

/** The number of rows. `value` is the value of a single row with a single integer column, otherwise the number of rows. */
export async function countResultRows(
  result: DuckDBResult,
): Promise<{ readonly rows: number; readonly value: number }> {
  const isInteger = result.columnCount === 1 && integers.has(result.columnTypeId(0));
  let rows = 0;
  let first: DuckDBValue | undefined;
  for await (const chunk of streamChunks(result)) {
    if (rows === 0 && isInteger) first = chunk.getColumnVector(0).getItem(0);
    rows += chunk.rowCount;
  }
  return { rows, value: rows === 1 && isInteger && first !== null ? Number(first) : rows };
}

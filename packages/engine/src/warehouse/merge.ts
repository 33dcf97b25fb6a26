import type { DuckDBConnection } from "@duckdb/node-api";

export interface MergeActionCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/** Runs a MERGE and counts its actions. DuckDB returns one row per action, possibly millions, so they are counted in chunks. */
export async function runMerge(connection: DuckDBConnection, sql: string): Promise<MergeActionCounts> {
  const counts: Record<string, number> = {};
  const result = await connection.stream(`${sql} RETURNING merge_action`);
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    for (const action of chunk.getColumnValues(0)) counts[String(action)] = (counts[String(action)] ?? 0) + 1;
  }
  const { INSERT: inserted = 0, UPDATE: updated = 0, DELETE: deleted = 0 } = counts;
  return { inserted, updated, deleted };
}

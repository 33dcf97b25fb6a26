import type { DuckDBConnection } from "@duckdb/node-api";
import { countRows, rowsChanged } from "./relation.ts";

export interface MergeActionCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Runs a MERGE that updates rows without a match in the source, and counts its actions. With RETURNING, DuckDB 1.5.5
 * reads uninitialized memory in such a MERGE, and crashes. A row that is inserted and another that is deleted count as
 * two updates.
 */
export async function runMergeBySource(
  connection: DuckDBConnection,
  target: string,
  sql: string,
): Promise<MergeActionCounts> {
  const before = await countRows(connection, target);
  const changed = await rowsChanged(connection, sql);
  const added = (await countRows(connection, target)) - before;
  return { inserted: Math.max(added, 0), updated: changed - Math.abs(added), deleted: Math.max(-added, 0) };
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

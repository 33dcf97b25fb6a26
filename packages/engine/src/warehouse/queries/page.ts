import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";

/** Rows of a page: chunks, and which rows of each. */
export interface Slice {
  readonly chunk: DuckDBDataChunk;
  readonly from: number;
  readonly to: number;
}

export interface Page {
  readonly chunks: readonly Slice[];
  readonly count: number;
  readonly more: boolean;
}

/** Takes what belongs to the page off the stream, and no more than one chunk after it. */
export async function readPage(
  result: DuckDBResult,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<Page> {
  const chunks: Slice[] = [];
  let seen = 0;
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    const from = Math.max(0, skip - seen);
    const to = Math.min(chunk.rowCount, skip + limit - seen);
    if (from < to) chunks.push({ chunk, from, to });
    if (to < chunk.rowCount) return { chunks, count: limit, more: true };
    seen += chunk.rowCount;
  }
  return { chunks, count: Math.max(0, seen - skip), more: false };
}

import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { collectYoungGarbage } from "./garbage-collection.ts";

const chunksBetweenCollecting = 64;

/** The rows of a result as they come. A chunk is not to be used after the next was asked for. */
export async function* streamChunks(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let seen = 1; ; seen += 1) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    yield chunk;
    if (seen % chunksBetweenCollecting === 0) collectYoungGarbage();
  }
}

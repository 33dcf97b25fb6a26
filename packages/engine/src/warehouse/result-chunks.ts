import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { collectYoungGarbage } from "./garbage-collection.ts";

const chunksBetweenCollections = 64;
/** Chunks of long values need more memory: then garbage is collected sooner. */
const bytesBetweenCollections = 64_000_000;

/** The chunks of a streamed result. A chunk must not be used after the next one is requested. */
export async function* streamChunks(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  let collectedAt = process.memoryUsage.rss();
  for (let count = 1; ; count += 1) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    yield chunk;
    if (
      count % chunksBetweenCollections === 0 ||
      process.memoryUsage.rss() - collectedAt > bytesBetweenCollections
    ) {
      collectYoungGarbage();
      collectedAt = process.memoryUsage.rss();
    }
  }
}

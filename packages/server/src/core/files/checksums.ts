import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** SHA-256 of files, in hex and in their order, on a thread of its own. */
export async function checksumsOf(paths: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const thread = new Worker(new URL("./checksum-thread.ts", import.meta.url), {
    workerData: paths,
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
  });
  try {
    // Rejects if the thread fails.
    const [sums] = (await once(thread, "message", { signal })) as [readonly string[]];
    return sums;
  } finally {
    await thread.terminate();
  }
}

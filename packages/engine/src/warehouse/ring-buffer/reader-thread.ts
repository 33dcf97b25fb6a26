/** A thread of `ReaderThreads`: imports the module of a source once, and then reads one dataset after the other with it. */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { ReaderModule, ReaderTask, ThreadMessage } from "./row-writer.ts";

const { read } = (await import(workerData as string)) as ReaderModule;

parentPort?.on("message", ({ input, ring }: ReaderTask) => {
  const reading = (async () => read(input, ring))();
  reading.then(
    () => {
      ring.port.close();
      const { total_heap_size, external_memory } = getHeapStatistics();
      parentPort?.postMessage({ completed: total_heap_size + external_memory } satisfies ThreadMessage);
    },
    // Thrown outside of the promise, the error ends this thread, and its parent receives a copy with all fields.
    (error) => setImmediate(() => throwError(error)),
  );
});

function throwError(error: unknown): never {
  throw error;
}

import { Worker } from "node:worker_threads";
import { createFairQueue } from "../concurrency/fair-queue.ts";
import { unavailable } from "../errors.ts";
import { hasCode } from "../files/disk.ts";
import type { ParsedYaml, YamlMode } from "./parse.ts";

export interface YamlRequest {
  readonly text: string;
  readonly mode: YamlMode;
}

/** The first message of a thread: the library is loaded. */
export const parserReady = "ready";

interface YamlParserLimits {
  /** For one text. 100,000 characters take up to a second, and several times as long on a busy machine. */
  readonly timeoutMs: number;
  /** A text of 100,000 characters needs about 100 MB. */
  readonly memoryMb: number;
}

/** Longer than an author usually takes between two requests. */
const idleMs = 60_000;

export type YamlParser = (text: string, mode: YamlMode, owner: string) => Promise<ParsedYaml>;

/**
 * Parses texts in a worker thread, one at a time, so that they take one core at most. The thread starts on demand, and
 * ends when it has been idle for a while.
 */
export function createYamlParser({ timeoutMs, memoryMb }: YamlParserLimits): YamlParser {
  const queue = createFairQueue("YAML texts", {
    atOnce: 1,
    perOwner: 1,
    waiting: 200,
    waitingPerOwner: 20,
    waitMs: 30_000,
  });
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function endThread(): void {
    void thread?.terminate();
    thread = undefined;
  }

  async function startThread(): Promise<Worker> {
    const started = new Worker(new URL("./thread.ts", import.meta.url), {
      name: "yaml",
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    await messageOf<typeof parserReady>(started);
    return started;
  }

  return (text, mode, owner) =>
    queue.run(owner, new AbortController().signal, async () => {
      clearTimeout(idle);
      try {
        thread ??= await startThread();
        thread.postMessage({ text, mode } satisfies YamlRequest);
        return await messageOf<ParsedYaml>(thread, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        endThread();
        const reason = limitOf(error);
        if (!reason) throw unavailable("The YAML parser stopped. Try again.", error);
        return { problems: [{ line: 1, column: 1, message: reason }] };
      } finally {
        idle = setTimeout(endThread, idleMs).unref();
      }
    });

  /** The limit that a text exceeded; undefined for any other error. */
  function limitOf(error: unknown): string | undefined {
    if (error instanceof DOMException && error.name === "TimeoutError")
      return `Parsing it takes longer than ${timeoutMs / 1000} seconds.`;
    if (hasCode(error, "ERR_WORKER_OUT_OF_MEMORY"))
      return `Parsing it needs more than ${memoryMb} MB of memory.`;
    return undefined;
  }
}

/** One parser for the process: all servers of a test share it. */
export const parseInThread = createYamlParser({ timeoutMs: 20_000, memoryMb: 256 });

/** The next message of a thread. Only while it is awaited does the thread keep the process alive. */
async function messageOf<Message>(worker: Worker, timeout?: AbortSignal): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const stop = () => reject(timeout?.reason);
  timeout?.addEventListener("abort", stop);
  worker.ref();
  worker.once("message", resolve);
  worker.once("error", reject);
  try {
    return await promise;
  } finally {
    timeout?.removeEventListener("abort", stop);
    worker.off("message", resolve);
    worker.off("error", reject);
    worker.unref();
  }
}

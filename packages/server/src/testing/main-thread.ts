import { once } from "node:events";
import { Worker } from "node:worker_threads";

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests from a separate thread, so that the main thread does only the server's work. */
export function createRequester(baseUrl: string, token: string) {
  const worker = new Worker(new URL("./requester.js", import.meta.url), { workerData: { baseUrl, token } });
  return {
    async send(
      path: string,
      init: { method?: string; body?: string; headers?: Readonly<Record<string, string>> } = {},
    ): Promise<Answer> {
      worker.postMessage({ path, ...init });
      const [answer] = await once(worker, "message");
      return answer as Answer;
    },
    close: () => worker.terminate(),
  };
}

/** The interval at which the main thread is measured. */
const everyMs = 2;

/**
 * Measures the longest time, in milliseconds of CPU, for which one task occupied the main thread. CPU time does not
 * grow while other programs use the processor.
 */
export function watchMainThread() {
  let longest = 0;
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let before = used();
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
  }, everyMs);
  return {
    /** The longest time since the last call. */
    take(): number {
      const found = longest;
      longest = 0;
      before = used();
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

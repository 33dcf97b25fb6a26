import { once } from "node:events";
import { Worker } from "node:worker_threads";

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends requests from a thread of its own: the main thread has the server's work alone. */
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

/** How often the main thread is looked at. */
const everyMs = 2;

/**
 * The longest time, in milliseconds of CPU, for which the main thread did one thing. CPU time does not grow when other programs take the
 * processor.
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
    /** The longest since the last call. */
    take(): number {
      const found = longest;
      longest = 0;
      before = used();
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

import { Worker } from "node:worker_threads";
import type { TableMetadata } from "@lakehelm/codegen";
import type { TableName } from "@lakehelm/sql/names";
import { unavailable } from "../../core/errors.ts";
import type { Answered, Asked, FromThread, Question, Told } from "./thread-messages.ts";

type Describe = (table: TableName) => Promise<TableMetadata | undefined>;

interface Waiting {
  readonly asked: Asked;
  readonly describe: Describe;
  readonly done: (answered: Answered) => void;
  readonly failed: (error: Error) => void;
}

export interface CodeGenerator {
  ask(asked: Asked, describe: Describe): Promise<Answered>;
  close(): Promise<void>;
}

/**
 * Passes requests to one worker thread, one at a time. The thread starts with the first request, because its SQL parser
 * takes time and memory that a server without code generation need not spend. A request that takes too long is ended
 * with its thread; the queued requests go to a new one.
 */
export function createCodeGenerator(timeoutMs: number): CodeGenerator {
  const queue: Waiting[] = [];
  let thread: Worker | undefined;
  let ready = false;
  let current: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function next(): void {
    if (closed || current || queue.length === 0) return;
    thread ??= start();
    if (!ready) return;
    current = queue.shift();
    timer = setTimeout(() => abandon(new Error("timeout"), tooLong(timeoutMs)), timeoutMs);
    thread.postMessage(current?.asked);
  }

  function start(): Worker {
    const worker = new Worker(new URL("./thread.ts", import.meta.url), { name: "codegen" });
    worker.on("message", (message: FromThread) => {
      if (worker !== thread) return;
      if ("describe" in message) return tell(worker, message);
      if ("answered" in message) return settle((waiting) => waiting.done(message.answered));
      ready = true;
      next();
    });
    worker.on("error", (error) => worker === thread && abandon(error as Error));
    return worker;
  }

  function tell(worker: Worker, { describe }: Question): void {
    current?.describe(describe).then(
      (known) => worker.postMessage({ known } satisfies Told),
      // The thread stops waiting for this answer when it receives its next request.
      (error) => worker === thread && settle((waiting) => waiting.failed(error)),
    );
  }

  function settle(end: (waiting: Waiting) => void): void {
    clearTimeout(timer);
    const waiting = current;
    current = undefined;
    if (waiting) end(waiting);
    next();
  }

  /** The thread crashed or timed out: its request fails, and a new thread takes the next one. */
  function abandon(error: Error, instead?: Answered): void {
    void thread?.terminate();
    thread = undefined;
    ready = false;
    // A thread that fails to start has no request yet: the next queued request must fail.
    current ??= queue.shift();
    settle((waiting) =>
      instead ? waiting.done(instead) : waiting.failed(unavailable("The code generator stopped.", error)),
    );
  }

  return {
    ask(asked, describe) {
      if (closed) return Promise.reject(unavailable("The server is stopping."));
      return new Promise((done, failed) => {
        queue.push({ asked, describe, done, failed });
        next();
      });
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await thread?.terminate();
    },
  };
}

const tooLong = (ms: number): Answered => ({
  text: JSON.stringify({
    status: "error",
    artifacts: [],
    errors: [
      `Generating took longer than ${ms / 1000} seconds and was given up. Ask for less in one request.`,
    ],
  }),
});

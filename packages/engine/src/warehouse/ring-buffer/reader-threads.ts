import { Worker } from "node:worker_threads";
import { DataProblem } from "../../protocol/problem.ts";
import type { ReaderMessage, ReaderTask, ThreadMessage } from "./row-writer.ts";

const host = new URL("./reader-thread.ts", import.meta.url);
/** Idle threads count in the memory of the engine, about 15 MB each. */
const maxIdle = 2;
const idleMs = 1_000;
/** A thread with a larger heap is not kept. */
const maxIdleHeap = 32 * 2 ** 20;

export interface Reading {
  /** Fulfilled when all rows are in the ring buffer. */
  readonly ended: Promise<void>;
  /** Ends the thread unless it has completed. */
  stop(): Promise<void>;
}

/**
 * Runs the readers of sources in threads. A thread that has completed is kept for a moment: to start one costs 50 to 200 ms of
 * processor time, mostly for its modules, which is more than a small table costs.
 */
export class ReaderThreads {
  /** The most recently used thread is last. */
  readonly #idle: ReaderThread[] = [];

  /** `module` exports `read`. */
  start(module: URL, task: ReaderTask, onMessage: (message: ReaderMessage) => void): Reading {
    const at = this.#idle.findLastIndex((one) => one.module === module.href);
    const [kept] = at < 0 ? [] : this.#idle.splice(at, 1);
    const thread = kept ?? new ReaderThread(module.href);
    const ended = thread.run(task, onMessage).then((heap) => {
      if (heap < maxIdleHeap) this.#keep(thread);
      else void thread.end();
    });
    // Awaited later: until then a rejection must not count as unhandled.
    ended.catch(() => {});
    // Once it has completed, the thread may read for another task.
    return { ended, stop: () => (thread.isReadingFor(task) ? thread.end() : Promise.resolve()) };
  }

  close(): void {
    for (const thread of this.#idle.splice(0)) void thread.end();
  }

  #keep(thread: ReaderThread): void {
    this.#idle.push(thread);
    if (this.#idle.length > maxIdle) void this.#idle.shift()?.end();
    thread.endAfter(idleMs, () => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }
}

interface RunningTask {
  readonly task: ReaderTask;
  onMessage(message: ReaderMessage): void;
  done(heap: number): void;
  fail(error: unknown): void;
}

class ReaderThread {
  readonly module: string;
  readonly #worker: Worker;
  #running: RunningTask | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #onIdleEnd: () => void = () => {};

  constructor(module: string) {
    this.module = module;
    this.#worker = new Worker(host, {
      workerData: module,
      // The rows are in shared memory, so the thread needs no large young generation.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256, codeRangeSizeMb: 32 },
    });
    this.#worker.on("message", (message: ThreadMessage) => {
      if ("completed" in message) this.#settle((task) => task.done(message.completed));
      else this.#running?.onMessage(message);
    });
    this.#worker.on("error", (error) => this.#settle((task) => task.fail(restoredError(error))));
    this.#worker.on("exit", () => {
      this.#settle((task) => task.fail(new Error("The reader thread exited before the end of the rows.")));
      this.#onIdleEnd();
    });
  }

  isReadingFor(task: ReaderTask): boolean {
    return this.#running?.task === task;
  }

  /** Resolves to the bytes of the thread's heap once it has read everything. */
  run(task: ReaderTask, onMessage: (message: ReaderMessage) => void): Promise<number> {
    clearTimeout(this.#idleTimer);
    this.#onIdleEnd = () => {};
    this.#worker.ref();
    return new Promise((done, fail) => {
      this.#running = { task, onMessage, done, fail };
      this.#worker.postMessage(task, [task.ring.port]);
    });
  }

  /** An idle thread does not keep the process alive. */
  endAfter(milliseconds: number, onEnd: () => void): void {
    this.#onIdleEnd = onEnd;
    this.#worker.unref();
    // No task may start while the thread is ending.
    const end = () => {
      onEnd();
      void this.end();
    };
    this.#idleTimer = setTimeout(end, milliseconds).unref();
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
  }

  #settle(settle: (task: RunningTask) => void): void {
    const running = this.#running;
    this.#running = undefined;
    if (running) settle(running);
  }
}

/** An error that a thread threw is received as a copy without its class. */
function restoredError(error: unknown): unknown {
  if (!(error instanceof Error) || !("retryable" in error)) return error;
  return new DataProblem(error.message, { retryable: error.retryable === true, cause: error });
}

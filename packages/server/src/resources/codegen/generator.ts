import { Worker } from "node:worker_threads";
import type { TableMetadata } from "@lakehelm/codegen";
import type { TableName } from "@lakehelm/sql/names";
import type { DataPaths } from "@lakehelm/sql/pipelines";
import { unavailable } from "../../core/errors.ts";
import type {
  GeneratorMessage,
  PathsRequest,
  TableLookup,
  TableLookupResult,
  ThreadRequest,
  ThreadResult,
} from "./thread-messages.ts";

type Describe = (table: TableName) => Promise<TableMetadata | undefined>;

interface QueuedRequest {
  readonly request: ThreadRequest | PathsRequest;
  readonly describe: Describe;
  readonly done: (result: ThreadResult) => void;
  readonly failed: (error: Error) => void;
}

export interface CodeGenerator {
  generate(request: ThreadRequest, describe: Describe): Promise<ThreadResult>;
  /** What SQL reads and writes. The worker thread computes this: it has the parser, and a pipeline can take seconds. */
  paths(request: PathsRequest): Promise<DataPaths>;
  close(): Promise<void>;
}

/**
 * Passes requests to one worker thread, one at a time. The thread starts with the first request, because its SQL parser
 * takes time and memory that a server without code generation need not spend. A request that takes too long is ended
 * with its thread; the queued requests go to a new one.
 */
export function createCodeGenerator(timeoutMs: number, memoryMb = 512): CodeGenerator {
  const queue: QueuedRequest[] = [];
  let thread: Worker | undefined;
  let ready = false;
  let current: QueuedRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function next(): void {
    if (closed || current || queue.length === 0) return;
    thread ??= start();
    if (!ready) return;
    current = queue.shift();
    timer = setTimeout(
      () => replaceThread(new Error("timeout"), refusal(`took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    thread.postMessage(current?.request);
  }

  function start(): Worker {
    const worker = new Worker(new URL("./thread.ts", import.meta.url), {
      name: "codegen",
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    worker.on("message", (message: GeneratorMessage) => {
      if (worker !== thread) return;
      if ("describe" in message) return answerLookup(worker, message);
      if ("result" in message) return complete(({ done }) => done(message.result));
      ready = true;
      next();
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (worker !== thread) return;
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      replaceThread(error, isFull ? refusal(`needed more than ${memoryMb} MB of memory`) : undefined);
    });
    return worker;
  }

  function answerLookup(worker: Worker, { describe }: TableLookup): void {
    current?.describe(describe).then(
      (metadata) => worker.postMessage({ metadata } satisfies TableLookupResult),
      // The thread stops waiting for this result when it receives its next request.
      (error) => worker === thread && complete(({ failed }) => failed(error)),
    );
  }

  function complete(end: (request: QueuedRequest) => void): void {
    clearTimeout(timer);
    const request = current;
    current = undefined;
    if (request) end(request);
    next();
  }

  /** The thread crashed or timed out: its request fails, and a new thread takes the next one. */
  function replaceThread(error: Error, result?: ThreadResult): void {
    void thread?.terminate();
    thread = undefined;
    ready = false;
    // A thread that fails to start has no request yet: the next queued request must fail.
    current ??= queue.shift();
    complete(({ done, failed }) =>
      result ? done(result) : failed(unavailable("The code generator stopped.", error)),
    );
  }

  function add(request: QueuedRequest["request"], describe: Describe): Promise<ThreadResult> {
    if (closed) return Promise.reject(unavailable("The server is stopping."));
    return new Promise((done, failed) => {
      queue.push({ request, describe, done, failed });
      next();
    });
  }

  return {
    generate: add,
    async paths(request) {
      const result = await add(request, async () => undefined);
      if ("paths" in result) return result.paths;
      return { paths: [], isComplete: false };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await thread?.terminate();
    },
  };
}

function refusal(reason: string): ThreadResult {
  const errors = [`Code generation ${reason} and was stopped. Send a smaller request.`];
  return { text: JSON.stringify({ status: "error", artifacts: [], errors }), stopped: reason };
}

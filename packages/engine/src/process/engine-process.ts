import { fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { setPriority } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { RequestListeners } from "../protocol/engine.ts";
import { defaultLimits, type EngineLimits } from "../protocol/limits.ts";
import { DataProblem, EngineLost, LimitExceeded } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import { memoryLimitedCommand } from "./memory-limit.ts";
import type { EngineFailure, EngineMessage, EngineProcessOptions, ServerMessage } from "./messages.ts";
import { watchProcess } from "./process-watch.ts";

interface PendingRequest extends RequestListeners {
  /** Undefined for a message that the server sends by itself. */
  readonly kind: RequestKind | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One engine process, from its start to its end. */
export interface EngineProcess {
  readonly pid: number | undefined;
  readonly isConnected: boolean;
  /** Whether it has responded at least once. If so, it did not fail to start. */
  readonly hasResponded: boolean;
  /** Fulfilled when the process handles requests, or has ended. */
  readonly ready: Promise<unknown>;
  /** Fulfilled when the process has ended and all pending requests are rejected. */
  readonly ended: Promise<void>;
  request(
    kind: RequestKind,
    body: unknown,
    listeners: RequestListeners,
  ): { readonly id: number; readonly response: Promise<unknown> };
  cancel(id: number): void;
  setOwnPorts(ports: readonly number[]): void;
  /** Resident memory in bytes. */
  memory(): Promise<number>;
  /** Lets the process close its files, and kills it if that takes longer than the timeout. */
  stop(timeoutMs: number): Promise<void>;
  kill(): void;
}

const tooMuchMemory =
  "The request needs more memory than the engine has and was stopped. PLATFORM_ENGINE_MEMORY_MB sets the limit.";

/** The server has priority 0: if both need the CPU, the API gets it. */
const lowerPriority = 10;

const poolThreads = 16;
/** What the process needs besides DuckDB's memory. */
const leastMb = 512;

/** Requests that are too small to use up the memory. */
const light: ReadonlySet<RequestKind | undefined> = new Set([
  undefined,
  "catalog",
  "metadata",
  "versions",
  "rejects",
  "removePipeline",
  "holdCommits",
  "dropWarehouse",
]);

/** The environment variables that the process gets. The others may hold secrets of the server. */
const inheritedVariables = [
  "PATH",
  "LANG",
  "TZ",
  "TMPDIR",
  "NODE_COMPILE_CACHE",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

export function startEngineProcess(
  options: EngineProcessOptions,
  onLog: (line: string) => void,
): EngineProcess {
  const limits: EngineLimits = { ...defaultLimits, ...options.limits };
  const child = fork(new URL("./child.ts", import.meta.url), [JSON.stringify(options)], {
    serialization: "advanced",
    // The last one is a pipe that ends with this process: see parent-watch.ts.
    stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
    // Liftoff only, no optimizing WebAssembly compiler: the SQL library then takes 170 MB instead of 360, and thirty queries
    // 0.9 s of CPU time instead of 2.5.
    ...memoryLimitedCommand(process.execPath, ["--max-old-space-size=256", "--liftoff-only"], {
      megabytes: Math.max(limits.processMb, options.memoryMb + leastMb),
      threads: options.threads + poolThreads,
    }),
    env: childEnvironment(),
  });
  lowerPriorityOf(child.pid);
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on("line", onLog);
  }

  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let hasResponded = false;
  let isEnding = false;
  // If a message cannot be sent, the process is ending, and `ended` rejects all pending requests.
  const send = (message: ServerMessage) => void (child.connected && child.send(message, () => {}));
  let endedBy: { readonly cause: "memory" | "silence"; readonly how: string } | undefined;
  const sendRequest = (
    message: (id: number) => ServerMessage,
    kind: RequestKind | undefined,
    listeners: RequestListeners,
  ) => {
    lastId += 1;
    const { promise: response, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(lastId, { ...listeners, kind, resolve, reject });
    if (kind) watch.resume();
    if (child.connected) send(message(lastId));
    else reject(new EngineLost("ended"));
    return { id: lastId, response };
  };

  child.on("message", (message: EngineMessage) => {
    const request = pending.get(message.id);
    if (message.type === "log") return request?.onLogLine?.(message.level, message.text);
    if (message.type === "progress") return request?.onProgress?.(message.values);
    if (message.type === "timing") return request?.onTiming?.(message.timing);
    hasResponded = true;
    pending.delete(message.id);
    if (![...pending.values()].some(({ kind }) => kind)) watch.pause();
    if (message.type === "result") return request?.resolve(message.value);
    isEnding ||= message.isLast;
    request?.reject(errorOf(message.failure));
  });

  // The channel disconnects after the last response is read, so no response is lost.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(
    ([[code, signal]]) => {
      // V8 and the C++ library abort the process when they get no memory.
      if (signal === "SIGABRT") endedBy ??= { cause: "memory", how: "ran out of memory and ended" };
      return endedBy?.how ?? (signal ? `was ended by ${signal}` : `ended with code ${code}`);
    },
    (error) => `could not be started (${error instanceof Error ? error.message : error})`,
  );

  const memory = async () =>
    Number(await sendRequest((id) => ({ type: "memory", id }), undefined, {}).response);
  const watch = watchProcess(
    {
      pid: child.pid,
      get hasResponded() {
        return hasResponded;
      },
      memory,
      end(cause, how) {
        endedBy ??= { cause, how };
        child.kill("SIGKILL");
      },
    },
    limits,
  );

  const ready = memory().catch(() => undefined);

  return {
    pid: child.pid,
    ready,
    get isConnected() {
      return child.connected && !isEnding;
    },
    get hasResponded() {
      return hasResponded;
    },
    ended: ended.then((how) => {
      watch.pause();
      const suspects = [...pending.values()].filter(({ kind }) => !light.has(kind));
      const ranOutOfMemory = endedBy?.cause === "memory";
      for (const request of pending.values()) {
        // With several requests it is unknown which one needed the memory, and each may be repeated.
        const isCulprit = ranOutOfMemory && suspects.length === 1 && request === suspects[0];
        request.reject(
          isCulprit ? new LimitExceeded(tooMuchMemory) : new EngineLost(how, { ranOutOfMemory }),
        );
      }
      pending.clear();
    }),
    request: (kind, body, listeners) =>
      sendRequest(
        (id) => ({ type: "request", id, kind, body, isTimed: listeners.onTiming !== undefined }),
        kind,
        listeners,
      ),
    setOwnPorts: (ports) => send({ type: "ownPorts", ports }),
    cancel: (id) => send({ type: "cancel", id }),
    memory,
    async stop(timeoutMs) {
      send({ type: "stop" });
      const timeout = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      await this.ended;
      clearTimeout(timeout);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return {
    // Each running DuckDB call holds a thread of the pool, and Node's default is four.
    UV_THREADPOOL_SIZE: String(poolThreads),
    MALLOC_ARENA_MAX: "2",
    // DuckDB's allocator keeps freed address space by default, and it would count against the memory limit forever.
    DUCKDB_JE_MALLOC_CONF: "retain:false",
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
    ...Object.fromEntries(
      inheritedVariables.flatMap((name) =>
        process.env[name] === undefined ? [] : [[name, process.env[name]]],
      ),
    ),
  };
}

function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, lowerPriority);
  } catch {
    // The process works at any priority.
  }
}

function errorOf(failure: EngineFailure): Error {
  switch (failure.kind) {
    case "problem": {
      const { sentence, retryable, position } = failure;
      return new DataProblem(sentence, { retryable, ...(position && { position }) });
    }
    case "cancelled":
      return new EngineLost("was stopped");
    case "exhausted":
      return new EngineLost("ran out of memory", { ranOutOfMemory: true });
    case "fault": {
      const error = new Error(failure.message);
      error.stack = failure.stack;
      return error;
    }
  }
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { setPriority } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { DataProblem, EngineLost } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import type {
  EngineFailure,
  EngineMessage,
  EngineProcessOptions,
  LogLevel,
  ServerMessage,
} from "./messages.ts";

/** Who hears what is said on the way to the answer. */
export interface RequestListeners {
  readonly onLogLine?: ((level: LogLevel, text: string) => void) | undefined;
  readonly onProgress?: ((values: Readonly<Record<string, unknown>>) => void) | undefined;
}

interface PendingRequest extends RequestListeners {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One process of the engine, from its start to its end. */
export interface EngineProcess {
  readonly pid: number | undefined;
  readonly isConnected: boolean;
  /** Whether it has answered at least once: then its end was no failure to start. */
  readonly hasAnswered: boolean;
  /** Fulfilled when it is gone and everybody who waited has been told. */
  readonly ended: Promise<void>;
  request(
    kind: RequestKind,
    body: unknown,
    listening: RequestListeners,
  ): { readonly id: number; readonly answer: Promise<unknown> };
  cancel(id: number): void;
  /** Its resident memory in bytes. */
  measure(): Promise<number>;
  /** Lets it close its files; it is killed when that takes longer. */
  stop(patienceMs: number): Promise<void>;
  kill(): void;
}

/** Above the server's 0: when both want the processor, the API gets it. */
const lowerPriority = 10;

/** What the process needs of the server's environment. The server's secrets are in there, too, and stay behind. */
const handedDown = [
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
  start: EngineProcessOptions,
  onLog: (line: string) => void,
): EngineProcess {
  const child = fork(new URL("./child.ts", import.meta.url), [JSON.stringify(start)], {
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Compiled once, not better and better: the SQL library in WebAssembly then takes 170 MB instead of 360, and thirty
    // queries 0.9 s of processor time instead of 2.5.
    execArgv: ["--max-old-space-size=256", "--liftoff-only"],
    env: environment(),
  });
  lowerPriorityOf(child.pid);
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on("line", onLog);
  }

  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let hasAnswered = false;
  // A message that cannot be sent needs no error of its own: the process is ending, and that is told below.
  const tell = (message: ServerMessage) => void (child.connected && child.send(message, () => {}));
  const wait = (message: (id: number) => ServerMessage, listening: RequestListeners) => {
    lastId += 1;
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(lastId, { ...listening, resolve, reject });
    if (child.connected) tell(message(lastId));
    else reject(new EngineLost("ended"));
    return { id: lastId, answer };
  };

  child.on("message", (message: EngineMessage) => {
    const asked = pending.get(message.id);
    if (message.say === "line") return asked?.onLogLine?.(message.level, message.text);
    if (message.say === "progress") return asked?.onProgress?.(message.values);
    hasAnswered = true;
    pending.delete(message.id);
    if (message.say === "answer") asked?.resolve(message.value);
    else asked?.reject(errorOf(message.failure));
  });

  // Answers that were sent just before the end are read before the channel says that it is closed.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(
    ([[code, signal]]) => (signal ? `was ended by ${signal}` : `ended with code ${code}`),
    (error) => `could not be started (${error instanceof Error ? error.message : error})`,
  );

  return {
    pid: child.pid,
    get isConnected() {
      return child.connected;
    },
    get hasAnswered() {
      return hasAnswered;
    },
    ended: ended.then((how) => {
      for (const { reject } of pending.values()) reject(new EngineLost(how));
      pending.clear();
    }),
    request: (kind, body, listening) => wait((id) => ({ say: "ask", id, kind, body }), listening),
    cancel: (id) => tell({ say: "cancel", id }),
    measure: async () => Number(await wait((id) => ({ say: "measure", id }), {}).answer),
    async stop(patienceMs) {
      tell({ say: "stop" });
      const impatient = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      await this.ended;
      clearTimeout(impatient);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return {
    // DuckDB's calls each hold a thread of the pool while they run; Node has four by itself.
    UV_THREADPOOL_SIZE: "16",
    MALLOC_ARENA_MAX: "2",
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
    ...Object.fromEntries(
      handedDown.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
  };
}

function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, lowerPriority);
  } catch {
    // It works at any priority.
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
    case "fault": {
      const error = new Error(failure.message);
      error.stack = failure.stack;
      return error;
    }
  }
}

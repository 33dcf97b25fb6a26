/** The engine's process. It handles requests until the server stops it or disconnects. */

import { Worker } from "node:worker_threads";
import { keepOwnFilesPrivate } from "../connectors/file-modes.ts";
import { createPortSet, setPorts } from "../egress/port-set.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import { withoutValues } from "../protocol/without-values.ts";
import { errorText } from "../warehouse/duckdb-message.ts";
import { isMemoryError, memoryProblem, OutOfMemory } from "../warehouse/memory-problem.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { diskProblemOf, type GuardedRequest, guardDisk } from "./disk-guard.ts";
import { handlers } from "./handlers.ts";
import type { EngineFailure, EngineMessage, EngineProcessOptions, ServerMessage } from "./messages.ts";
import { WarehousePool } from "./warehouse-pool.ts";

interface ActiveRequest extends GuardedRequest {
  readonly environments: Set<string>;
  /** The crash points that the request has reached, if the server asked for its timing. */
  readonly steps: [name: string, time: number][] | undefined;
  ended: Promise<void>;
}

keepOwnFilesPrivate();
// Without a server no response is needed, and the next server waits for the files. Committed work is in DuckDB's logs.
new Worker(new URL("./parent-watch.ts", import.meta.url), {
  resourceLimits: {
    maxYoungGenerationSizeMb: 2,
    maxOldGenerationSizeMb: 32,
    codeRangeSizeMb: 8,
    stackSizeMb: 1,
  },
}).unref();

const options: EngineProcessOptions = JSON.parse(process.argv[2] ?? "{}");
const warehouses = new WarehousePool(options);
const ownPorts = createPortSet();
setPorts(ownPorts, options.egress.ownPorts);
const activeRequests = new Map<number, ActiveRequest>();

const disk = guardDisk(options, () => activeRequests.values());

/** A message may quote a value of any length. */
const maxMessage = 4_000;

/** The most steps that are recorded. A pipeline has some for each table. */
const maxSteps = 500;

/**
 * Requests of runs: their errors and lines go to events, webhooks and logs, whose readers may not be allowed to read
 * the tables.
 */
const ofRuns: ReadonlySet<RequestKind> = new Set(["transfer", "capture", "flow", "pipeline", "script"]);

const clock = () => performance.timeOrigin + performance.now();
const kill = () => process.kill(process.pid, "SIGKILL");
const send = (message: EngineMessage, onSent = () => {}) => void process.send?.(message, onSent);

process.on("message", (message: ServerMessage) => {
  switch (message.type) {
    case "request":
      return start(message);
    case "cancel":
      return activeRequests.get(message.id)?.controller.abort();
    case "memory":
      return send({ type: "result", id: message.id, value: process.memoryUsage.rss() });
    case "ownPorts":
      return setPorts(ownPorts, message.ports);
    case "stop":
      return void stop();
  }
});
process.on("disconnect", kill);
// Ctrl-C in a terminal reaches this process too, but the server decides when it ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function start({ id, kind, body, isTimed }: Extract<ServerMessage, { type: "request" }>): void {
  const request: ActiveRequest = {
    kind,
    steps: isTimed ? [] : undefined,
    controller: new AbortController(),
    environments: new Set(),
    ended: Promise.resolve(),
  };
  activeRequests.set(id, request);
  disk.resume();
  request.ended = handle(id, kind, body, request).finally(() => activeRequests.delete(id));
}

async function handle(id: number, kind: RequestKind, body: unknown, request: ActiveRequest): Promise<void> {
  const started = clock();
  const sendTiming = () => {
    if (request.steps)
      send({ type: "timing", id, timing: { started, ended: clock(), steps: request.steps } });
  };
  try {
    await disk.require(kind);
    // The server's call of `request` checks the type of the body.
    const handler = handlers[kind] as (body: unknown, context: RequestContext) => Promise<unknown>;
    const value = await handler(body, contextOf(id, request));
    sendTiming();
    send({ type: "result", id, value });
  } catch (error) {
    sendTiming();
    const failure = failureOf(error, request);
    const isLast = needsNewProcess(error);
    send({ type: "failure", id, failure, isLast }, isLast ? kill : undefined);
  }
}

function contextOf(id: number, request: ActiveRequest): RequestContext {
  return {
    async warehouse(environment) {
      request.controller.signal.throwIfAborted();
      request.environments.add(environment);
      return warehouses.get(environment);
    },
    async holdCommits(environment, work) {
      request.environments.add(environment);
      await warehouses.holdCommits(environment, work);
    },
    async drop(environment) {
      const others = [...activeRequests.values()].filter(
        (other) => other !== request && other.environments.has(environment),
      );
      for (const { controller } of others) controller.abort();
      await warehouses.drop(environment, Promise.all(others.map(({ ended }) => ended)));
    },
    signal: request.controller.signal,
    log: (level, text) =>
      send({ type: "log", id, level, text: ofRuns.has(request.kind) ? withoutValues(text) : text }),
    progress: (values) => send({ type: "progress", id, values }),
    crashPoint: (name) => {
      if (request.steps && request.steps.length < maxSteps) request.steps.push([name, clock()]);
      if (name === options.fault) kill();
    },
    folders: options.folders,
    egress: { ...options.egress, ownPorts },
    now: () => new Date().toISOString(),
  };
}

function failureOf(error: unknown, { kind, controller: { signal } }: ActiveRequest): EngineFailure {
  const problem = signal.aborted ? signal.reason : error;
  const shown = (text: string) => shortened(ofRuns.has(kind) ? withoutValues(text) : text);
  if (problem instanceof DataProblem) {
    const { message, retryable, position } = problem;
    return { kind: "problem", sentence: shown(message), retryable, position };
  }
  if (signal.aborted) return { kind: "cancelled" };
  const memory = memoryProblem(
    error,
    error instanceof OutOfMemory ? error.subject : "The request",
    options.memoryMb,
  );
  // Other requests of the same warehouse may have used the memory.
  if (memory !== undefined)
    return { kind: "problem", sentence: memory, retryable: activeRequests.size > 1, position: undefined };
  const full = diskProblemOf(errorText(error));
  if (full !== undefined) return { kind: "problem", sentence: full, retryable: false, position: undefined };
  if (isExhausted(error)) return { kind: "exhausted" };
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "fault", message: shown(message), stack: shown(stack) };
}

/**
 * DuckDB closes a database whose checkpoint failed. DuckDB also keeps memory for tables that it has read, even after it
 * ran out of memory. Everything that was committed is in its log, which the next process applies.
 */
const needsNewProcess = (error: unknown): boolean =>
  errorText(error).includes("database has been invalidated") ||
  (isMemoryError(error) && activeRequests.size === 1);

/** V8 and the C++ library report exhausted memory in their own words. */
const isExhausted = (error: unknown): boolean =>
  error instanceof Error &&
  /std::bad_alloc|allocation failed|ERR_WORKER_INIT_FAILED|ENOMEM|EAGAIN/.test(error.message.slice(0, 500));

const shortened = (text: string): string =>
  text.length <= maxMessage ? text : `${text.slice(0, maxMessage)}…`;

async function stop(): Promise<void> {
  const requests = [...activeRequests.values()];
  for (const { controller } of requests) controller.abort();
  await Promise.all(requests.map(({ ended }) => ended));
  await warehouses.close();
  process.exit(0);
}

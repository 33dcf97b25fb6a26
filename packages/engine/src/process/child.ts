/** The engine's process. It handles requests until the server stops it or disconnects. */

import { DataProblem } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { handlers } from "./handlers.ts";
import type { EngineFailure, EngineMessage, EngineProcessOptions, ServerMessage } from "./messages.ts";
import { WarehousePool } from "./warehouse-pool.ts";

interface ActiveRequest {
  readonly controller: AbortController;
  readonly environments: Set<string>;
  ended: Promise<void>;
}

const options: EngineProcessOptions = JSON.parse(process.argv[2] ?? "{}");
const warehouses = new WarehousePool(options);
const activeRequests = new Map<number, ActiveRequest>();

const kill = () => process.kill(process.pid, "SIGKILL");
const send = (message: EngineMessage) => void process.send?.(message);

process.on("message", (message: ServerMessage) => {
  switch (message.type) {
    case "request":
      return start(message.id, message.kind, message.body);
    case "cancel":
      return activeRequests.get(message.id)?.controller.abort();
    case "memory":
      return send({ type: "result", id: message.id, value: process.memoryUsage.rss() });
    case "stop":
      return void stop();
  }
});
// Without a server no response is needed, and the next server waits for the files. Committed work is in DuckDB's logs.
process.on("disconnect", kill);
// Ctrl-C in a terminal reaches this process too, but the server decides when it ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function start(id: number, kind: RequestKind, body: unknown): void {
  const request: ActiveRequest = {
    controller: new AbortController(),
    environments: new Set(),
    ended: Promise.resolve(),
  };
  activeRequests.set(id, request);
  request.ended = handle(id, kind, body, request).finally(() => activeRequests.delete(id));
}

async function handle(id: number, kind: RequestKind, body: unknown, request: ActiveRequest): Promise<void> {
  try {
    // The server's call of `request` checks the type of the body.
    const handler = handlers[kind] as (body: unknown, context: RequestContext) => Promise<unknown>;
    const value = await handler(body, contextOf(id, request));
    send({ type: "result", id, value });
  } catch (error) {
    send({ type: "failure", id, failure: failureOf(error, request.controller.signal) });
  }
}

function contextOf(id: number, request: ActiveRequest): RequestContext {
  return {
    async warehouse(environment) {
      request.controller.signal.throwIfAborted();
      request.environments.add(environment);
      return warehouses.get(environment);
    },
    async drop(environment) {
      const others = [...activeRequests.values()].filter(
        (other) => other !== request && other.environments.has(environment),
      );
      for (const { controller } of others) controller.abort();
      await warehouses.drop(environment, Promise.all(others.map(({ ended }) => ended)));
    },
    signal: request.controller.signal,
    log: (level, text) => send({ type: "log", id, level, text }),
    progress: (values) => send({ type: "progress", id, values }),
    crashPoint: (name) => {
      if (name === options.fault) kill();
    },
    folders: options.folders,
    now: () => new Date().toISOString(),
  };
}

function failureOf(error: unknown, signal: AbortSignal): EngineFailure {
  if (signal.aborted) return { kind: "cancelled" };
  if (error instanceof DataProblem) {
    const { message, retryable, position } = error;
    return { kind: "problem", sentence: message, retryable, position };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "fault", message, stack };
}

async function stop(): Promise<void> {
  const requests = [...activeRequests.values()];
  for (const { controller } of requests) controller.abort();
  await Promise.all(requests.map(({ ended }) => ended));
  await warehouses.close();
  process.exit(0);
}

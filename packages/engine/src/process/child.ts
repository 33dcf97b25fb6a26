/** The engine's process: it answers what the server asks, until it is told to stop or the server is gone. */

import { DataProblem } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { handlers } from "./handlers.ts";
import type { EngineFailure, EngineMessage, EngineProcessOptions, ServerMessage } from "./messages.ts";
import { Warehouses } from "./warehouses.ts";

interface UnderWay {
  readonly stopper: AbortController;
  readonly environments: Set<string>;
  ended: Promise<void>;
}

const start: EngineProcessOptions = JSON.parse(process.argv[2] ?? "{}");
const warehouses = new Warehouses(start);
const underWay = new Map<number, UnderWay>();

const kill = () => process.kill(process.pid, "SIGKILL");
const tell = (message: EngineMessage) => void process.send?.(message);

process.on("message", (message: ServerMessage) => {
  switch (message.say) {
    case "ask":
      return take(message.id, message.kind, message.body);
    case "cancel":
      return underWay.get(message.id)?.stopper.abort();
    case "measure":
      return tell({ say: "answer", id: message.id, value: process.memoryUsage.rss() });
    case "stop":
      return void stop();
  }
});
// Without the server nobody hears an answer, and the next server waits for the files. What was committed is in their logs.
process.on("disconnect", kill);
// Ctrl-C in a terminal reaches this process too; the server decides when it ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function take(id: number, kind: RequestKind, body: unknown): void {
  const request: UnderWay = {
    stopper: new AbortController(),
    environments: new Set(),
    ended: Promise.resolve(),
  };
  underWay.set(id, request);
  request.ended = answer(id, kind, body, request).finally(() => underWay.delete(id));
}

async function answer(id: number, kind: RequestKind, body: unknown, request: UnderWay): Promise<void> {
  try {
    // The types of a message were checked where the server wrote it.
    const handler = handlers[kind] as (body: unknown, handling: RequestContext) => Promise<unknown>;
    const value = await handler(body, handlingOf(id, request));
    tell({ say: "answer", id, value });
  } catch (error) {
    tell({ say: "failure", id, failure: failureOf(error, request.stopper.signal) });
  }
}

function handlingOf(id: number, request: UnderWay): RequestContext {
  return {
    async warehouse(environment) {
      request.stopper.signal.throwIfAborted();
      request.environments.add(environment);
      return warehouses.of(environment);
    },
    async drop(environment) {
      const others = [...underWay.values()].filter(
        (other) => other !== request && other.environments.has(environment),
      );
      for (const { stopper } of others) stopper.abort();
      await warehouses.drop(environment, Promise.all(others.map(({ ended }) => ended)));
    },
    signal: request.stopper.signal,
    log: (level, text) => tell({ say: "line", id, level, text }),
    progress: (values) => tell({ say: "progress", id, values }),
    crashPoint: (step) => {
      if (step === start.fault) kill();
    },
    folders: start.folders,
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
  const requests = [...underWay.values()];
  for (const { stopper } of requests) stopper.abort();
  await Promise.all(requests.map(({ ended }) => ended));
  await warehouses.close();
  process.exit(0);
}

import { setTimeout as pause } from "node:timers/promises";
import type { Engine, EngineOptions, RequestOptions } from "../protocol/engine.ts";
import { DataProblem, LimitExceeded } from "../protocol/problem.ts";
import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import { type EngineProcess, startEngineProcess } from "./engine-process.ts";
import { startMs } from "./process-watch.ts";

const stopTimeoutMs = 5_000;
const maxBackoffMs = 5_000;
const publicOnly = { allowsPrivate: false, privateAddresses: [], ownPorts: () => [] };

/** Starts the engine's process with the first request, and a new one with the next request after it was lost. */
export function createEngine(options: EngineOptions): Engine {
  const { onLog, onStart, graceMs = 10_000, faults = [], egress = publicOnly, ...rest } = options;
  const processOptions = { folders: { granted: [], dataFolder: options.folder }, ...rest };
  let running: EngineProcess | undefined;
  let starting: Promise<EngineProcess> | undefined;
  let started = 0;
  /** How many processes in a row ended before they responded to anything. */
  let failedStarts = 0;
  let stopped = false;

  async function start(): Promise<EngineProcess> {
    if (failedStarts > 0) await pause(Math.min(maxBackoffMs, 50 * 2 ** failedStarts));
    if (stopped) throw engineStopped();
    const process = startEngineProcess(
      { ...processOptions, egress: { ...egress, ownPorts: egress.ownPorts() }, fault: faults[started] },
      onLog,
    );
    started += 1;
    running = process;
    process.ended.then(() => {
      running = undefined;
      failedStarts = process.hasResponded ? 0 : failedStarts + 1;
    });
    if (process.pid !== undefined) {
      await onStart?.(process.pid).catch((error) => {
        process.kill();
        throw error;
      });
    }
    return process;
  }

  async function runningProcess(): Promise<EngineProcess> {
    if (stopped) throw engineStopped();
    // A process that is ending no longer responds.
    if (running && !running.isConnected) await running.ended;
    // Requests are sent in order: those that wait for the start come first.
    if (running && !starting) return running;
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function request<Kind extends RequestKind>(
    kind: Kind,
    body: EngineRequests[Kind][0],
    { signal, timeoutMs = timeoutOf(body), ...listeners }: RequestOptions = {},
  ): Promise<EngineRequests[Kind][1]> {
    signal?.throwIfAborted();
    const process = await runningProcess();
    signal?.throwIfAborted();
    const timeout = new AbortController();
    const limit = AbortSignal.any([signal ?? [], timeout.signal].flat());
    const { id, response } = process.request(kind, body, listeners);
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    if (timeoutMs !== undefined) {
      // On a busy machine the start of a process takes longer than most queries: it does not count.
      void process.ready.then(() => {
        if (!isDone) timer = setTimeout(() => timeout.abort(), timeoutMs);
      });
    }
    let grace: NodeJS.Timeout | undefined;
    let isStuck = false;
    const cancel = () => {
      process.cancel(id);
      // A process that has not responded to anything yet is still starting, and not stuck.
      const isStarting = !process.hasResponded;
      grace = setTimeout(
        () => {
          isStuck = !isStarting;
          process.kill();
        },
        isStarting ? Math.max(graceMs, startMs) : graceMs,
      );
    };
    limit.addEventListener("abort", cancel, { once: true });
    try {
      // Work that completed in spite of the cancellation is reported as completed.
      return (await response) as EngineRequests[Kind][1];
    } catch (error) {
      if (isStuck && !runs.has(kind)) throw new LimitExceeded(stuck, { cause: error });
      if (signal?.aborted) throw signal.reason;
      if (limit.aborted) {
        throw new DataProblem(`The request was stopped after ${(timeoutMs ?? 0) / 1000} s.`, {
          cause: error,
        });
      }
      throw error;
    } finally {
      isDone = true;
      clearTimeout(timer);
      limit.removeEventListener("abort", cancel);
      clearTimeout(grace);
    }
  }

  return {
    request,
    ownPortsChanged: () => running?.setOwnPorts(egress.ownPorts()),
    get pid() {
      return running?.pid;
    },
    memory: async () => (running ? running.memory() : 0),
    async stop() {
      stopped = true;
      await starting?.catch(() => undefined);
      await running?.stop(stopTimeoutMs);
    },
  };
}

/**
 * A query has its own time limit, which the process enforces. The process cannot do so while DuckDB plans a query or
 * computes one long value: then the whole request is stopped a second later.
 */
const timeoutOf = (body: object): number | undefined =>
  "timeoutMs" in body && typeof body.timeoutMs === "number" ? body.timeoutMs + 1_000 : undefined;

/** Runs: their executors handle cancellation. */
const runs: ReadonlySet<RequestKind> = new Set(["transfer", "capture", "flow", "pipeline", "script"]);

const stuck =
  "The request was stopped after its time limit. It did not react, so the engine's process was ended with it.";

const engineStopped = () => new DataProblem("The engine is stopped.", { retryable: true });

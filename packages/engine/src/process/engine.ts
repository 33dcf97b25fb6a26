import { setTimeout as pause } from "node:timers/promises";
import { DataProblem } from "../protocol/problem.ts";
import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import type { Folders } from "../transfer/connector-folders.ts";
import type { WarehouseOptions } from "../warehouse/warehouse.ts";
import { type EngineProcess, type RequestListeners, startEngineProcess } from "./child-process.ts";

export interface EngineOptions extends WarehouseOptions {
  /** `<data folder>/warehouse`: it holds a folder for each environment. */
  readonly folder: string;
  /** For DuckDB, in each environment that is at work; the process itself needs about 100 MB more. */
  readonly memoryMb: number;
  /** Where connectors may read and write files; absent: anywhere but in `folder`. */
  readonly folders?: Folders;
  readonly onLog: (line: string) => void;
  /** How long a cancelled request may go on before its process is killed. */
  readonly graceMs?: number;
  /** For tests: the first process kills itself at the first step named here, the second at the second, later ones at none. */
  readonly faults?: readonly string[];
}

export interface RequestOptions extends RequestListeners {
  /** Aborting it stops the work; the promise is rejected with its reason when the work has stopped. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Engine {
  request<Kind extends RequestKind>(
    kind: Kind,
    body: EngineRequests[Kind][0],
    asking?: RequestOptions,
  ): Promise<EngineRequests[Kind][1]>;
  /** Of its process, while there is one. */
  readonly pid: number | undefined;
  /** Bytes of resident memory; 0 while there is no process. */
  memory(): Promise<number>;
  /** Closes the warehouses and ends the process. */
  stop(): Promise<void>;
}

const stopPatienceMs = 5_000;
const longestBackoffMs = 5_000;

/** Starts the process of the engine at the first request, and again at the next one after it was lost. */
export function createEngine(options: EngineOptions): Engine {
  const { onLog, graceMs = 10_000, faults = [], ...rest } = options;
  const settled = { folders: { own: options.folder, allowed: [] }, ...rest };
  let running: EngineProcess | undefined;
  let starting: Promise<EngineProcess> | undefined;
  let started = 0;
  /** How many processes in a row have ended before they answered anything. */
  let vain = 0;
  let stopped = false;

  async function start(): Promise<EngineProcess> {
    if (vain > 0) await pause(Math.min(longestBackoffMs, 50 * 2 ** vain));
    if (stopped) throw isStopped();
    const process = startEngineProcess({ ...settled, fault: faults[started] }, onLog);
    started += 1;
    running = process;
    process.ended.then(() => {
      running = undefined;
      vain = process.hasAnswered ? 0 : vain + 1;
    });
    return process;
  }

  async function live(): Promise<EngineProcess> {
    if (stopped) throw isStopped();
    // A process that is ending answers nobody any more.
    if (running && !running.isConnected) await running.ended;
    // Whoever asked first is sent first: those who wait for the start are before us.
    if (running && !starting) return running;
    starting ??= start().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function ask<Kind extends RequestKind>(
    kind: Kind,
    body: EngineRequests[Kind][0],
    { signal, timeoutMs = whenOverdue(body), ...listening }: RequestOptions = {},
  ): Promise<EngineRequests[Kind][1]> {
    signal?.throwIfAborted();
    const process = await live();
    signal?.throwIfAborted();
    const limits = [signal ?? [], timeoutMs === undefined ? [] : AbortSignal.timeout(timeoutMs)].flat();
    const limit = AbortSignal.any(limits);
    const { id, answer } = process.request(kind, body, listening);
    let grace: NodeJS.Timeout | undefined;
    const cancel = () => {
      process.cancel(id);
      grace = setTimeout(() => process.kill(), graceMs);
    };
    limit.addEventListener("abort", cancel, { once: true });
    try {
      // What was done in spite of everything is told as done.
      return (await answer) as EngineRequests[Kind][1];
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (limit.aborted) {
        throw new DataProblem(`It took longer than ${(timeoutMs ?? 0) / 1000} s and was stopped.`, {
          cause: error,
        });
      }
      throw error;
    } finally {
      limit.removeEventListener("abort", cancel);
      clearTimeout(grace);
    }
  }

  return {
    request: ask,
    get pid() {
      return running?.pid;
    },
    memory: async () => (running ? running.measure() : 0),
    async stop() {
      stopped = true;
      await starting?.catch(() => undefined);
      await running?.stop(stopPatienceMs);
    },
  };
}

/** A query has a time limit of its own, and the process sees to it. It cannot while DuckDB makes a plan or one long value. */
const whenOverdue = (body: object): number | undefined =>
  "timeoutMs" in body && typeof body.timeoutMs === "number" ? body.timeoutMs + 1_000 : undefined;

const isStopped = () => new DataProblem("The engine is stopped.", { retryable: true });

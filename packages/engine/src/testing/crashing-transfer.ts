import { dirname } from "node:path";
import { createEngine } from "../process/engine.ts";
import type { Engine } from "../protocol/engine.ts";
import { DataProblem, EngineLost } from "../protocol/problem.ts";
import type { TransferRequest, TransferResult } from "../protocol/transfer.ts";
import { allowsLoopback } from "./loopback.ts";

/** The crash points of a run, in order. */
export const crashPoints = ["read", "staged", "written", "checkpointed", "recorded"] as const;
export type CrashPointName = (typeof crashPoints)[number];

/** When a process is killed: by itself at a crash point, or by the test this many milliseconds after the request. */
export type CrashTime = CrashPointName | number;

interface Crashing<Time extends string | number> {
  /** Holds the warehouse of the environment. */
  readonly folder: string;
  /** The crash time of each process, in order. The process after the last one is not killed. */
  readonly at: readonly Time[];
  /** Called after a process was killed, before the next attempt. */
  between(): Promise<void>;
}

/** How long retryable errors are retried: a database may still be rolling back the work of the killed process. */
const retryTimeoutMs = 60_000;

/** Sends a transfer to real processes that are killed, until one completes it. Returns the result and the crash times. */
export const transferThroughCrashes = ({
  request,
  ...crashing
}: Crashing<CrashTime> & { readonly request: TransferRequest }): Promise<{
  readonly result: TransferResult;
  readonly killed: readonly CrashTime[];
}> => requestThroughCrashes(crashing, (engine) => engine.request("transfer", request));

/** Sends any request to real processes that are killed, until one completes it. */
export async function requestThroughCrashes<Result, Time extends string | number>(
  { folder, at, between }: Crashing<Time>,
  send: (engine: Pick<Engine, "request">) => Promise<Result>,
): Promise<{ readonly result: Result; readonly killed: readonly Time[] }> {
  const faults = at.map((crashTime) => (typeof crashTime === "number" ? "none" : String(crashTime)));
  const engine = createEngine({
    folder,
    memoryMb: 128,
    threads: 1,
    // The files of a test are beside its warehouse.
    egress: { ...allowsLoopback, ownPorts: () => [] },
    folders: { granted: [dirname(folder)], dataFolder: folder },
    faults,
    onLog: () => {},
  });
  const killed: Time[] = [];
  let end = performance.now() + retryTimeoutMs;
  try {
    for (;;) {
      const crashTime = at[killed.length];
      const timer = typeof crashTime === "number" ? setTimeout(() => kill(engine), crashTime) : undefined;
      try {
        return { result: await send(engine), killed };
      } catch (error) {
        // A retryable problem is retried, as the server does.
        if (!(error instanceof DataProblem) || !error.retryable || performance.now() > end) throw error;
        if (!(error instanceof EngineLost)) continue;
        if (!/SIGKILL/.test(error.message) || crashTime === undefined) throw error;
        killed.push(crashTime);
      } finally {
        clearTimeout(timer);
      }
      await between();
      end = performance.now() + retryTimeoutMs;
    }
  } finally {
    await engine.stop();
  }
}

function kill({ pid }: Pick<Engine, "pid">): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

import { createEngine } from "../process/engine.ts";
import type { Engine } from "../protocol/engine.ts";
import { DataProblem, EngineLost } from "../protocol/problem.ts";
import type { TransferRequest, TransferResult } from "../protocol/transfer.ts";

/** What a run passes on its way, in this order. */
export const crashPoints = ["read", "staged", "written", "checkpointed", "recorded"] as const;
export type CrashPointName = (typeof crashPoints)[number];

/** When a process is killed: at a step, by itself, or from outside so many milliseconds after it was asked. */
export type CrashTime = CrashPointName | number;

export interface CrashingTransfer {
  /** Holds the warehouse of the environment. */
  readonly folder: string;
  readonly request: TransferRequest;
  /** For the first process, the second, and so on; the one after them is left alone. */
  readonly at: readonly CrashTime[];
  /** Called when a process is dead, before the next attempt. */
  between(): Promise<void>;
}

/** A database may still be ending what a dead process began; after this long it will not. */
const patienceMs = 60_000;

/** One run in real processes that are killed on the way, retried until one completes it. Returns when they died. */
export async function transferThroughCrashes(
  killing: CrashingTransfer,
): Promise<{ readonly moved: TransferResult; readonly killed: readonly CrashTime[] }> {
  const { folder, request, at, between } = killing;
  const faults = at.map((moment) => (typeof moment === "number" ? "none" : moment));
  const engine = createEngine({ folder, memoryMb: 128, threads: 1, faults, onLog: () => {} });
  const killed: CrashTime[] = [];
  let end = performance.now() + patienceMs;
  try {
    for (;;) {
      const moment = at[killed.length];
      const timer = typeof moment === "number" ? setTimeout(() => kill(engine), moment) : undefined;
      try {
        return { moved: await engine.request("transfer", request), killed };
      } catch (error) {
        // A retryable problem is retried, as the server does.
        if (!(error instanceof DataProblem) || !error.retryable || performance.now() > end) throw error;
        if (!(error instanceof EngineLost)) continue;
        if (!/SIGKILL/.test(error.message) || moment === undefined) throw error;
        killed.push(moment);
      } finally {
        clearTimeout(timer);
      }
      await between();
      end = performance.now() + patienceMs;
    }
  } finally {
    await engine.stop();
  }
}

function kill({ pid }: Pick<Engine, "pid">): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

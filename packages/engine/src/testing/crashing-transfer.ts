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

/** One run in real processes that are killed on the way, tried again until one ends it. Answers when they died. */
export async function transferThroughCrashes(
  killing: CrashingTransfer,
): Promise<{ readonly moved: TransferResult; readonly killed: readonly CrashTime[] }> {
  const { folder, request, at, between } = killing;
  const faults = at.map((moment) => (typeof moment === "number" ? "none" : moment));
  const engine = createEngine({ folder, memoryMb: 128, threads: 1, faults, onLog: () => {} });
  const killed: CrashTime[] = [];
  try {
    for (;;) {
      const moment = at[killed.length];
      const timer = typeof moment === "number" ? setTimeout(() => kill(engine), moment) : undefined;
      try {
        return { moved: await engine.request("transfer", request), killed };
      } catch (error) {
        // What may pass is tried again, as the server does: a database may still be ending what a dead process began.
        if (!(error instanceof DataProblem) || !error.retryable) throw error;
        if (!(error instanceof EngineLost)) continue;
        if (!/SIGKILL/.test(error.message) || moment === undefined) throw error;
        killed.push(moment);
      } finally {
        clearTimeout(timer);
      }
      await between();
    }
  } finally {
    await engine.stop();
  }
}

function kill({ pid }: Pick<Engine, "pid">): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

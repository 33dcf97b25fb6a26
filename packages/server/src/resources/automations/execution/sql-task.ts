import { setTimeout as sleep } from "node:timers/promises";
import { DataProblem, type Engine, type EngineRequests } from "@lakehelm/engine";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import type { TaskState } from "./task-state.ts";

/** With these pauses it has about half a minute to come through. */
const tries = 9;
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * Runs statements, once. An engine that was lost, or a table that another run has changed meanwhile, is no failure of the task:
 * by its mark, a script can be asked for again without being run twice.
 */
export async function runScript(
  engine: Pick<Engine, "request">,
  script: EngineRequests["script"][0],
  { signal, line }: Pick<RunControl, "signal" | "line">,
  random: () => number,
): Promise<TaskState["output"]> {
  for (let nth = 1; ; nth++) {
    try {
      return { ...(await engine.request("script", script, { signal, onLogLine: line })) };
    } catch (error) {
      const passes = error instanceof DataProblem && error.retryable && nth < tries;
      if (!passes || signal.aborted) throw error;
      line("warn", `${error.message} It is asked again.`);
      // A random part less, so that two that were in each other's way are not again.
      const pauseMs = Math.min(firstPauseMs * 2 ** nth, longestPauseMs) * (1 - random() / 2);
      await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

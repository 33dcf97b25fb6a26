import { setTimeout as sleep } from "node:timers/promises";
import { DataProblem, type Engine, type EngineRequests } from "@lakehelm/engine";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import type { TaskState } from "./task-state.ts";

/** With the backoff between the attempts, a script has about half a minute to succeed. */
const maxAttempts = 9;
const firstBackoffMs = 100;
const maxBackoffMs = 10_000;

/**
 * Executes statements exactly once. A lost engine or a concurrent change of a table does not fail the task: the
 * script's idempotency key makes a retry safe.
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
      const isRetryable = error instanceof DataProblem && error.retryable && nth < maxAttempts;
      if (!isRetryable || signal.aborted) throw error;
      line("warn", `${error.message} Retrying.`);
      // Random jitter, so that two conflicting scripts do not collide again.
      const backoffMs = Math.min(firstBackoffMs * 2 ** nth, maxBackoffMs) * (1 - random() / 2);
      await sleep(backoffMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

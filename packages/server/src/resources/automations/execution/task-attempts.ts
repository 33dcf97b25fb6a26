import type { AutomationTask } from "@lakehelm/contract";
import type { System } from "../../../core/system.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import { PermanentError } from "./permanent-error.ts";
import type { TaskState } from "./task-state.ts";
import type { TaskStates } from "./task-states.ts";
import { waitFor } from "./wait.ts";

/** One attempt at a task: its output, or an error message. `found` reports the id of its child run. */
export type TaskAttempt = (
  attempt: number,
  signal: AbortSignal,
  found: (runId: string) => Promise<void>,
) => Promise<TaskState["output"]>;

interface TaskControl {
  readonly states: TaskStates;
  readonly system: Pick<System, "now" | "monotonicMs">;
  readonly control: Pick<RunControl, "signal" | "line">;
  /** An attempt failed, and the next one starts at `next_at`. */
  readonly retried?: (retry: {
    task: string;
    attempt: number;
    error: string;
    next_at: string;
  }) => Promise<void>;
}

/** The most retries that the record of a task lists. */
const maxRetries = 20;

/**
 * Retries a task until it succeeds or fails permanently. `states` stores the current attempt: after a crash, the same
 * attempt continues and finds what it had started. Throws only if the run itself is stopped.
 */
export async function runWithRetries(
  { name, retries: mostRetries, retry_seconds, max_retry_seconds, timeout_seconds }: AutomationTask,
  { states, system, control, retried }: TaskControl,
  attemptTask: TaskAttempt,
): Promise<void> {
  const { signal, line } = control;
  const now = () => system.now().toISOString();
  for (let attempt = Math.max(1, states.of(name).attempt); ; attempt++) {
    const { run_id, started_at, attempt: known } = states.of(name);
    await states.set(name, {
      status: "running",
      attempt,
      started_at: started_at ?? now(),
      run_id: known === attempt ? run_id : null,
      error: null,
    });
    line("info", `Task "${name}" starts${attempt > 1 ? `, attempt ${attempt} of ${mostRetries + 1}` : ""}.`);
    const found = (runId: string) => states.set(name, { run_id: runId });
    const work = (limited: AbortSignal) => attemptTask(attempt, limited, found);
    const ended = await withTimeout(timeout_seconds ?? undefined, system, signal, work).then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    if ("output" in ended) {
      await states.set(name, { status: "succeeded", ended_at: now(), output: ended.output });
      return line("info", `Task "${name}" succeeded.`);
    }
    signal.throwIfAborted();
    const error = ended.error instanceof Error ? ended.error.message : String(ended.error);
    if (attempt > mostRetries || ended.error instanceof PermanentError) {
      await states.set(name, { status: "failed", ended_at: now(), error });
      return line("error", `Task "${name}" failed: ${error}`);
    }
    const seconds = pauseSeconds(attempt, retry_seconds, max_retry_seconds ?? retry_seconds);
    line("warn", `Task "${name}" failed; the next attempt starts in ${seconds} s: ${error}`);
    // From here on the next attempt is current, even after a crash.
    const at = now();
    const next = system.now().getTime() + seconds * 1000;
    const retries = [...(states.of(name).retries ?? []), { attempt, at, error }].slice(-maxRetries);
    await states.set(name, { status: "waiting", attempt: attempt + 1, error, retries });
    await retried?.({ task: name, attempt, error, next_at: new Date(next).toISOString() });
    await waitFor(system, seconds * 1000, signal);
  }
}

/** The pause after this many failures: doubled each time, up to the longest one. */
const pauseSeconds = (failures: number, first: number, most: number): number =>
  Math.min(first * 2 ** Math.min(failures - 1, 30), Math.max(first, most));

/** Aborts the attempt, and fails it, when its timeout has passed. */
async function withTimeout<Result>(
  seconds: number | undefined,
  system: Pick<System, "monotonicMs">,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (seconds === undefined) return work(signal);
  const over = new AbortController();
  const done = new AbortController();
  const limited = AbortSignal.any([signal, over.signal]);
  const watch = waitFor(system, seconds * 1000, done.signal).then(
    () => over.abort(new Error(`It took longer than ${seconds} s and was stopped.`)),
    () => {},
  );
  try {
    return await work(limited);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error;
  } finally {
    done.abort();
    await watch;
  }
}

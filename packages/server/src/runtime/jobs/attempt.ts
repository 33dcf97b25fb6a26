import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { type ChangeContext, VersionConflict } from "../../core/store/store.ts";
import { type Ended, type Outcome, outcomeOf, Stopped, type StopReason } from "./attempt-outcome.ts";
import { endedEvent } from "./ended-event.ts";
import type { Executor } from "./executor.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { RunEnd } from "./run-end.ts";
import type { LineWriter, RunLog } from "./run-log.ts";
import type { RunRows } from "./run-rows.ts";

/** A running attempt. */
export interface Attempt {
  readonly run: Run;
  readonly job: StoredJob;
  readonly startedMs: number;
  /** Metrics that are not written yet. */
  unwritten: Run["metrics"] | undefined;
  /** The first reason wins. `by`: the actor who asked for it. */
  stop(reason: StopReason, by?: string): void;
  /** Resolves when the attempt has ended and its outcome is written. Never rejects. */
  readonly done: Promise<void>;
}

export interface AttemptParts {
  readonly jobs: JobRows;
  readonly runs: RunRows;
  readonly log: RunLog;
  readonly ending: RunEnd;
}

export interface AttemptOptions {
  /** The id of this server process. */
  readonly owner: string;
  readonly executor: Executor;
  /** Whether this server still owns its runs. */
  readonly isHeard: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Executes a run that this server has claimed. */
export function beginAttempt(
  { store, system }: Dependencies,
  { runs, log, ending }: AttemptParts,
  { owner, executor, isHeard, onError }: AttemptOptions,
  run: Run,
  job: StoredJob,
): Attempt {
  const controller = new AbortController();
  let stopped: StopReason | undefined;
  let stoppedBy: string | undefined;
  let metrics = run.metrics;
  const mine = { id: run.id, owner, attempt: run.attempt };
  const byWorker = (now: Date): ChangeContext => ({
    actor: "worker",
    requestId: null,
    time: now.toISOString(),
  });

  async function execute({ line }: LineWriter): Promise<Ended> {
    function progress(found: Run["metrics"]): void {
      metrics = found;
      attempt.unwritten = found;
    }
    async function keep(found: Run["metrics"]): Promise<void> {
      metrics = found;
      const step = runs.progress({ ...mine, metrics: encodeJson(found) });
      await persist(() =>
        store.apply({ context: byWorker(system.now()), steps: [{ ...step, expect: 1 }], events: [] }),
      );
    }
    try {
      return await executor.execute(run, job, { signal: controller.signal, line, progress, keep });
    } catch (error) {
      return { error };
    }
  }

  async function carryOut(): Promise<void> {
    const lines = await log.open(run.id);
    const ended = await execute(lines);
    const outcome = outcomeOf(run.attempt, job.definition, stopped, ended, ending.random);
    if (outcome.to === "nothing") return;
    tell(lines, outcome);
    await lines.close();
    if ("metrics" in ended) metrics = ended.metrics;
    await settle(outcome);
  }

  function tell(lines: LineWriter, outcome: Settled): void {
    if (outcome.to === "failed") lines.line("error", outcome.error ?? "It failed.");
    if (outcome.to === "cancelled") lines.line("warn", "It was cancelled.");
    if (outcome.to !== "queued") return;
    const seconds = Math.round(outcome.waitMs / 100) / 10;
    lines.line(
      "warn",
      outcome.error === null
        ? "This server no longer works on it: the run goes back into the queue."
        : `Attempt ${run.attempt} failed; the next one starts in ${seconds} s: ${outcome.error}`,
    );
  }

  /** Retries while the database is unreachable, until other servers may have taken the run. */
  async function persist(writing: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await writing();
      } catch (error) {
        if (error instanceof VersionConflict || !isHeard()) throw error;
        onError(error);
        await new Promise((resume) => setTimeout(resume, 1000));
      }
    }
  }

  async function settle(outcome: Settled): Promise<void> {
    await persist(() => write(outcome)).catch((error) => {
      if (!(error instanceof VersionConflict)) throw error;
    });
  }

  async function write(outcome: Settled): Promise<void> {
    const now = system.now();
    const context = byWorker(now);
    const { to, error } = outcome;
    if (to === "queued") {
      const notBefore = new Date(now.getTime() + outcome.waitMs).toISOString();
      const step = runs.putBack({ ...mine, counted: outcome.counted, not_before: notBefore, error });
      return store.apply({ context, steps: [{ ...step, expect: 1 }], events: [] });
    }
    const step = runs.end({ ...mine, to, now: context.time, error, metrics: encodeJson(metrics) });
    const told = {
      attempt: run.attempt,
      metrics,
      ...(error !== null && { error }),
      ...(to === "cancelled" && { by: stoppedBy }),
    };
    await store.apply({
      context,
      steps: [{ ...step, expect: 1 }, ...ending.steps(job, to, now)],
      events: [endedEvent(run, job, to, told)],
    });
  }

  const attempt: Attempt = {
    run,
    job,
    startedMs: system.now().getTime(),
    unwritten: undefined,
    stop(reason, by) {
      if (stopped !== undefined) return;
      stopped = reason;
      stoppedBy = by;
      controller.abort(new Stopped(reason));
    },
    // In the next event loop turn, when the worker has registered the attempt.
    done: Promise.resolve().then(carryOut).catch(onError),
  };
  return attempt;
}

type Settled = Exclude<Outcome, { to: "nothing" }>;

import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { VersionConflict } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import {
  type AttemptResult,
  outcomeOf,
  type RunOutcome,
  Stopped,
  type StopReason,
} from "./attempt-outcome.ts";
import { endedEvent } from "./ended-event.ts";
import type { Executor } from "./executor.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Lineage, LineageReport } from "./lineage.ts";
import { isContinuous, runEvent } from "./queue.ts";
import { type QuietJobs, quietRun } from "./quiet-runs.ts";
import type { RunEnd } from "./run-end.ts";
import type { LineWriter, RunLog } from "./run-log.ts";
import type { RunObserver } from "./run-metrics.ts";
import { retriesOf, withRetry } from "./run-retries.ts";
import type { RunRows } from "./run-rows.ts";

/** A running attempt. */
export interface RunAttempt {
  readonly run: Run;
  readonly job: StoredJob;
  /** How long it has been running. */
  readonly ageMs: () => number;
  /** Metrics that are not written yet. */
  unwritten: Run["metrics"] | undefined;
  /** Stops the attempt. The first reason wins; `by` is the actor who requested it. */
  stop(reason: StopReason, by?: string): void;
  /** Resolves when the attempt has ended and its outcome is written. Never rejects. */
  readonly done: Promise<void>;
}

export interface AttemptDependencies {
  readonly jobs: JobRows;
  readonly runs: RunRows;
  readonly log: RunLog;
  readonly ending: RunEnd;
  readonly observer: RunObserver;
  readonly quietJobs: QuietJobs;
  /** Absent: what runs read and write is not reported. */
  readonly lineage?: LineageReport | undefined;
}

export interface AttemptOptions {
  /** The id of this server process. */
  readonly owner: string;
  readonly executor: Executor;
  /** Whether this server still owns its runs. */
  readonly ownsRuns: () => boolean;
  /** Whether this server executes runs of the environment at the moment. */
  readonly mayRun: (environmentId: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Whether the log already has this error: as it is, as the errors of several parts, or for one of several parts that
 * failed for the same reason (`a, b: …` after `a: …`).
 */
function isLogged(error: string, logged: ReadonlySet<string>): boolean {
  if (error === "") return false;
  const rest = [...logged].reduce((text, line) => text.replace(line, ""), error).trim();
  // A text that only introduces the logged errors says nothing new.
  const isIntroduction = rest.endsWith(":") && rest !== error.trim();
  if (rest === "" || isIntroduction) return true;
  return logged
    .values()
    .some((line) => line.includes(": ") && error.endsWith(line.slice(line.indexOf(": "))));
}

/** Executes a run that this server has claimed. */
export function startAttempt(
  { store, system }: Dependencies,
  { runs, log, ending, observer, quietJobs, lineage }: AttemptDependencies,
  { owner, executor, ownsRuns, mayRun, onError }: AttemptOptions,
  run: Run,
  job: StoredJob,
): RunAttempt {
  const controller = new AbortController();
  const startedMs = system.monotonicMs();
  let stopped: StopReason | undefined;
  let stoppedBy: string | undefined;
  let metrics = run.metrics;
  let touched: Lineage = { inputs: [], outputs: [] };
  const { metrics: withRetries } = retriesOf(run);
  const claim = { id: run.id, owner, attempt: run.attempt };

  /** Errors that the log of this attempt already has: the line about its end does not repeat them. */
  const loggedErrors = new Set<string>();
  const mostErrors = 100;

  async function execute(lines: LineWriter): Promise<AttemptResult> {
    function progress(found: Run["metrics"]): void {
      metrics = withRetries(found);
      attempt.unwritten = metrics;
    }
    function keepLineage(found: Lineage): void {
      touched = found;
    }
    async function keep(found: Run["metrics"]): Promise<void> {
      metrics = withRetries(found);
      const step = runs.progress({ ...claim, metrics: encodeJson(metrics) });
      await persist(() =>
        store.apply({ context: workerContext(system), steps: [{ ...step, expect: 1 }], events: [] }),
      );
    }
    const line: LineWriter["line"] = (level, text) => {
      if (level === "error" && loggedErrors.size < mostErrors) loggedErrors.add(text);
      lines.line(level, text);
    };
    try {
      return await executor.execute(run, job, {
        signal: controller.signal,
        line,
        progress,
        checkpoint: keep,
        ...(lineage && { lineage: keepLineage }),
      });
    } catch (error) {
      return { error };
    }
  }

  async function runAttempt(): Promise<void> {
    const lines = await log.open(run.id);
    const ended = await execute(lines);
    // The attempt may have failed because the engine was stopped with the lease, before the next beat stops attempts.
    if ("error" in ended && !mayRun(run.environment_id)) stopped ??= "stopping";
    const outcome = outcomeOf(run.attempt, job.definition, stopped, ended, ending.random);
    if (outcome.to === "nothing") return;
    logOutcome(lines, outcome);
    await lines.close();
    if ("metrics" in ended) metrics = withRetries(ended.metrics);
    await recordOutcome(outcome);
  }

  function logOutcome(lines: LineWriter, outcome: RecordedOutcome): void {
    if (outcome.to === "failed" && !isLogged(outcome.error ?? "", loggedErrors))
      lines.line("error", outcome.error ?? "It failed.");
    if (outcome.to === "cancelled") lines.line("warn", "It was cancelled.");
    if (outcome.to !== "queued") return;
    const seconds = Math.round(outcome.waitMs / 100) / 10;
    lines.line(
      "warn",
      outcome.error === null
        ? "This server stopped working on it. The run goes back to the queue."
        : `Attempt ${run.attempt} failed; the next one starts in ${seconds} s: ${outcome.error}`,
    );
  }

  /** Retries while the database is unreachable, until other servers may have taken the run. */
  async function persist(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof VersionConflict || !ownsRuns()) throw error;
        onError(error);
        await new Promise((resume) => setTimeout(resume, 1000));
      }
    }
  }

  async function recordOutcome(outcome: RecordedOutcome): Promise<void> {
    await persist(() => write(outcome)).catch((error) => {
      if (!(error instanceof VersionConflict)) throw error;
    });
  }

  async function write(outcome: RecordedOutcome): Promise<void> {
    const now = system.now();
    const context = workerContext(now);
    const { to, error } = outcome;
    if (to === "queued") {
      const notBefore = new Date(now.getTime() + outcome.waitMs).toISOString();
      const kept = error === null ? metrics : withRetry(run, metrics, { at: context.time, error });
      const step = runs.putBack({
        ...claim,
        counted: outcome.counted,
        not_before: notBefore,
        error,
        metrics: encodeJson(kept),
      });
      const { attempt } = run;
      const retried = runEvent(run, "run.retried", { attempt, error, next_at: notBefore });
      await store.apply({
        context,
        steps: [{ ...step, expect: 1 }],
        events: error === null ? [] : [retried],
      });
      if (error !== null) observer.retried(job);
      return;
    }
    const folded = to === "succeeded" ? await quietRun(runs, run, job, { metrics, error }) : undefined;
    const isLive = isContinuous(run.cause);
    // A run that was announced by an event also has an event at its end.
    const isUnheard = folded?.isRepeated === true && (isLive || quietJobs.isSilent(run));
    const step = runs.end({
      ...claim,
      to,
      now: context.time,
      error,
      metrics: encodeJson(metrics),
      quiet: folded ? encodeJson(folded.quiet) : null,
    });
    const data = {
      attempt: run.attempt,
      metrics,
      ...(error !== null && { error }),
      ...(to === "cancelled" && { by: stoppedBy }),
    };
    const end = { outcome: to, error, at: now };
    await store.apply({
      context,
      steps: [
        { ...step, expect: 1 },
        ...(folded?.steps ?? []),
        ...ending.steps(run, job, end, touched, !(isLive && folded?.isRepeated)),
      ],
      events: isUnheard ? [] : [endedEvent(run, job, to, data)],
    });
    quietJobs.ended(run, folded !== undefined);
    observer.ended({ ...run, metrics }, job, end);
  }

  const attempt: RunAttempt = {
    run,
    job,
    ageMs: () => system.monotonicMs() - startedMs,
    unwritten: undefined,
    stop(reason, by) {
      if (stopped !== undefined) return;
      stopped = reason;
      stoppedBy = by;
      controller.abort(new Stopped(reason));
    },
    // In the next event loop turn, when the worker has registered the attempt.
    done: Promise.resolve().then(runAttempt).catch(onError),
  };
  return attempt;
}

type RecordedOutcome = Exclude<RunOutcome, { to: "nothing" }>;

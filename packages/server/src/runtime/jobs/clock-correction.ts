import type { JobDefinition, JobTrigger } from "@lakehelm/contract";
import { firingsOf } from "@lakehelm/schedule";
import type { Logger } from "pino";
import type { Dependencies } from "../../core/dependencies.ts";
import { type DomainEvent, type Step, VersionConflict } from "../../core/store/store.ts";
import { schedulerContext } from "../../core/system.ts";
import type { DueJobRow, JobRows } from "./job-rows.ts";
import { isoOf } from "./job-steps.ts";
import type { RunRows } from "./run-rows.ts";

/** Jobs and runs per change: other work goes on in between. */
const batch = 200;
/** On a shared database, the clocks of servers may differ by this much. */
const skewMs = 10_000;
/** A live job of an inactive environment waits no longer than this. */
const restMs = 60_000;

/**
 * Jobs and queued runs store when they are due. A clock that was ahead leaves times that are too late: this finds them,
 * without knowing when the clock was wrong, and computes them again.
 */
export interface ClockCorrection {
  /**
   * Corrects all due times and returns their number. `changedMs`: by how much the clock was just set, if that was
   * noticed.
   */
  correct(changedMs?: number): Promise<number>;
}

export function createClockCorrection(
  { store, system }: Pick<Dependencies, "store" | "system">,
  { jobs, runs }: { readonly jobs: JobRows; readonly runs: RunRows },
  log: Pick<Logger, "warn">,
): ClockCorrection {
  const toleranceMs = store.engine.exclusive ? 0 : skewMs;

  function jobStep({ id, version, nextAt, definition: { trigger } }: DueJobRow, now: number): Step[] {
    const latest = latestDue(trigger, now + toleranceMs);
    if (latest === undefined || Date.parse(nextAt) <= latest) return [];
    const dueAt = trigger.kind === "cron" ? latestDue(trigger, now) : now;
    return [{ ...jobs.reschedule({ id, version, next_at: isoOf(dueAt) }), expect: 1 }];
  }

  async function apply(steps: readonly Step[], events: readonly DomainEvent[] = []): Promise<number> {
    try {
      await store.apply({ context: schedulerContext(system), steps: [...steps], events: [...events] });
      return steps.length;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      // The scheduler or another server has changed one of the rows meanwhile: apply the steps one by one.
      if (steps.length <= 1) return 0;
      let applied = 0;
      for (const step of steps) applied += await apply([step]);
      return applied;
    }
  }

  async function correctJobs(now: number): Promise<number> {
    let corrected = 0;
    for (let after = ""; ; ) {
      const page = await jobs.dueAfter(new Date(now).toISOString(), after, batch);
      corrected += await apply(page.flatMap((job) => jobStep(job, now)));
      after = page.at(-1)?.id ?? "";
      if (page.length < batch) return corrected;
      await new Promise((next) => setImmediate(next));
    }
  }

  async function correctRuns(now: number): Promise<number> {
    let corrected = 0;
    for (let after = ""; ; ) {
      const page = await runs.waitingAfter(new Date(now + toleranceMs).toISOString(), after, batch);
      const steps: Step[] = [];
      for (const { id, job_id, not_before } of page) {
        const longestMs = longestBackoffMs((await jobs.get(job_id))?.definition);
        if (not_before === null || Date.parse(not_before) <= now + longestMs + toleranceMs) continue;
        steps.push({
          ...runs.wait({ id, before: not_before, not_before: new Date(now).toISOString() }),
          expect: 1,
        });
      }
      corrected += await apply(steps);
      after = page.at(-1)?.id ?? "";
      if (page.length < batch) return corrected;
      await new Promise((next) => setImmediate(next));
    }
  }

  return {
    async correct(changedMs = 0) {
      const now = system.now().getTime();
      const corrected = (await correctJobs(now)) + (await correctRuns(now));
      if (changedMs === 0 && corrected === 0) return 0;
      const seconds = Math.round(changedMs / 1000);
      log.warn({ seconds, corrected }, sentenceOf(seconds));
      await apply([], [{ kind: "clock.corrected", subject: "clock", data: { seconds, corrected } }]);
      return corrected;
    },
  };
}

const sentenceOf = (seconds: number): string =>
  seconds === 0
    ? "the clock was ahead earlier: jobs and runs that would have waited too long are due again at the right time"
    : `the clock of this machine was set ${seconds < 0 ? "back" : "ahead"}: jobs and runs are due by the new time. A slot that has had its run does not run again`;

/** The latest time at which a job with this trigger is due; undefined if it is unknown. */
function latestDue(trigger: JobTrigger, now: number): number | undefined {
  if (trigger.kind === "live")
    return now + Math.max(trigger.pause_seconds * 1000, trigger.max_backoff_seconds * 1000, restMs);
  if (trigger.kind !== "cron") return undefined;
  try {
    return firingsOf(trigger.cron, trigger.timezone).after(now);
  } catch {
    // The scheduler reports a schedule that it cannot read, when it is due.
    return undefined;
  }
}

const longestBackoffMs = (definition: JobDefinition | undefined): number =>
  definition === undefined ? 0 : Math.max(definition.backoff_seconds, definition.max_backoff_seconds) * 1000;

import type { JobPause, RunCause } from "@lakehelm/contract";
import { type ElapsedFirings, type Firings, firingsOf } from "@lakehelm/schedule";
import type { StoredJob } from "./job-rows.ts";
import { isoOf } from "./job-steps.ts";

/** The next state of a due job: when to look at it again, and perhaps a run. */
export interface DueJob {
  readonly nextAt: string | null;
  readonly paused: JobPause | null;
  readonly fired?: TriggeredRun;
}

/** A run that a trigger requests. */
export interface TriggeredRun {
  /** At most one run exists per slot; absent: no limit. */
  readonly slot?: string;
  readonly cause: RunCause;
  /** Why the run is skipped. */
  readonly skipped?: string;
}

/** A slot found later than this was missed: no server was running when it was due. */
const lateMs = 60_000;

export function dueJob(job: StoredJob, now: Date): DueJob {
  const { trigger } = job.definition;
  if (trigger.kind === "cron" && job.nextAt !== null) {
    const firings = firingsOf(trigger.cron, trigger.timezone);
    return dueCronJob(job, firings, Date.parse(job.nextAt), now.getTime());
  }
  // A live job becomes due again when its run ends or when it is resumed.
  if (trigger.kind !== "live" || job.paused || job.open) return { nextAt: null, paused: job.paused };
  const time = now.toISOString();
  return {
    nextAt: null,
    paused: null,
    fired: { slot: `live/${time}`, cause: { trigger: "live", by: null, time } },
  };
}

function dueCronJob(job: StoredJob, firings: Firings, due: number, now: number): DueJob {
  const elapsed = firings.elapsed(due, now);
  const nextAt = isoOf(firings.after(now));
  const time = new Date(elapsed.last).toISOString();
  if (job.paused) {
    const paused = { ...job.paused, missed: job.paused.missed + elapsed.count, last_missed: time };
    return { nextAt, paused };
  }
  const catchUp = missedOf(elapsed, due, now);
  const cause: RunCause = { trigger: "cron", by: null, time, ...(catchUp && { catch_up: catchUp }) };
  // A run that catches up waits for the one before it: both may have been held up by the same outage.
  const isLate = now - elapsed.last > lateMs;
  const busy = job.open && !job.definition.overlap && !isLate;
  return {
    nextAt,
    paused: null,
    fired: {
      slot: time,
      cause,
      ...(busy && { skipped: "The previous run was still running, and runs of this job do not overlap." }),
    },
  };
}

/** One run covers all slots that have passed; slots that are too late for a run count as missed. */
function missedOf(elapsed: ElapsedFirings, due: number, now: number): RunCause["catch_up"] {
  const isLate = now - elapsed.last > lateMs;
  const missed = isLate ? elapsed.count : elapsed.count - 1;
  const to = isLate ? elapsed.last : elapsed.beforeLast;
  if (missed === 0 || to === undefined) return undefined;
  return {
    missed,
    more: elapsed.more,
    from: new Date(due).toISOString(),
    to: new Date(to).toISOString(),
  };
}

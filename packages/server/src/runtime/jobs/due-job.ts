import type { JobPause, RunCause } from "@lakehelm/contract";
import { type ElapsedFirings, type Firings, firingsOf } from "@lakehelm/schedule";
import { isoOf } from "./definition.ts";
import type { StoredJob } from "./job-rows.ts";

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
  /** Why it is skipped. */
  readonly skipped?: string;
}

/** A slot found later than this was missed: no server was running when it was due. */
const lateMs = 60_000;

export function dueJob(job: StoredJob, now: Date): DueJob {
  const { trigger } = job.definition;
  if (trigger.kind === "cron" && job.nextAt !== null) {
    const firings = firingsOf(trigger.cron, trigger.timezone);
    return cronTurn(job, firings, Date.parse(job.nextAt), now.getTime());
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

function cronTurn(job: StoredJob, firings: Firings, due: number, now: number): DueJob {
  const passed = firings.elapsed(due, now);
  const nextAt = isoOf(firings.after(now));
  const time = new Date(passed.last).toISOString();
  if (job.paused) {
    const paused = { ...job.paused, missed: job.paused.missed + passed.count, last_missed: time };
    return { nextAt, paused };
  }
  const catchUp = missedOf(passed, due, now);
  const cause: RunCause = { trigger: "cron", by: null, time, ...(catchUp && { catch_up: catchUp }) };
  const busy = job.open && !job.definition.overlap;
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

/** One run covers all slots that have passed; those that it is too late for count as missed. */
function missedOf(passed: ElapsedFirings, due: number, now: number): RunCause["catch_up"] {
  const isLate = now - passed.last > lateMs;
  const missed = isLate ? passed.count : passed.count - 1;
  const to = isLate ? passed.last : passed.beforeLast;
  if (missed === 0 || to === undefined) return undefined;
  return {
    missed,
    more: passed.more,
    from: new Date(due).toISOString(),
    to: new Date(to).toISOString(),
  };
}

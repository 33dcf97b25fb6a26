import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { type Change, type DomainEvent, type Step, VersionConflict } from "../../core/store/store.ts";
import { schedulerContext } from "../../core/system.ts";
import { type DueJob, dueJob } from "./due-job.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Queue } from "./queue.ts";
import { problemEvent } from "./watch-change.ts";

/** Jobs per change. */
const batch = 200;

/** Processes due jobs: schedules, live jobs and expired pauses. */
export interface Scheduler {
  /** Processes the due jobs; returns how many. */
  runDue(): Promise<number>;
  /** When the next job is due; undefined: not until something changes. */
  next(): Promise<Date | undefined>;
}

type DueHandler = (job: StoredJob) => DueChange | Promise<DueChange>;

interface DueChange {
  readonly steps: Step[];
  readonly events: DomainEvent[];
}

/** Steps and events that join the change in which a pause expires. */
export type PauseEnded = (job: StoredJob) => Promise<Pick<Change, "steps" | "events">>;

export type IsActive = (environmentId: string) => Promise<boolean>;

/** How soon a live job starts after its environment is active again. */
const inactiveMs = 60_000;

export function createScheduler(
  { store, system }: Dependencies,
  rows: JobRows,
  queue: Queue,
  pauseEnded: PauseEnded,
  isActive: IsActive,
): Scheduler {
  function advance(job: StoredJob, { nextAt, paused, fired }: DueJob, time: string): DueChange {
    const pause = paused === null ? null : encodeJson(paused);
    const handle = rows.advance({ id: job.id, version: job.version, next_at: nextAt, paused: pause });
    const run = fired && queue.put(job, fired, time);
    return { steps: [{ ...handle, expect: 1 }, ...(run?.steps ?? [])], events: run?.events ?? [] };
  }

  /** A broken job must not keep the others from running. */
  function handleDue(job: StoredJob, now: Date): DueChange {
    try {
      return advance(job, dueJob(job, now), now.toISOString());
    } catch (error) {
      const { steps } = advance(job, { nextAt: null, paused: job.paused }, now.toISOString());
      const problem = `Its schedule cannot be read: ${(error as Error).message}`;
      return {
        steps: [...steps, rows.tellProblem({ id: job.id, problem })],
        events: [problemEvent(job, problem)],
      };
    }
  }

  /** Slots that pass while the environment is inactive get no run, not even later. */
  function skipSlot(job: StoredJob, now: Date): DueChange {
    const isLive = job.definition.trigger.kind === "live";
    const later = new Date(now.getTime() + inactiveMs).toISOString();
    const { fired, ...due } = dueJob(job, now);
    return advance(job, { ...due, nextAt: isLive && fired ? later : due.nextAt }, now.toISOString());
  }

  async function endPause(job: StoredJob, now: Date): Promise<DueChange> {
    const { trigger } = job.definition;
    // Slots before the end of the pause belong to the pause; later ones do not. A live job starts again at once.
    const over = job.paused?.until ?? now.toISOString();
    const due = job.nextAt !== null && job.nextAt <= over ? dueJob(job, new Date(over)) : job;
    const nextAt = trigger.kind === "live" && !job.open ? now.toISOString() : due.nextAt;
    const { reason, missed, last_missed } = due.paused ?? job.paused ?? {};
    const joined = await pauseEnded(job);
    return {
      steps: [
        { ...rows.endPause({ id: job.id, version: job.version, next_at: nextAt }), expect: 1 },
        ...joined.steps,
      ],
      events: [
        ...joined.events,
        {
          kind: "job.resumed",
          subject: `job/${job.id}`,
          data: { name: job.name, environment_id: job.environmentId, reason, missed, last_missed },
        },
      ],
    };
  }

  async function apply(changes: readonly DueChange[], now: Date): Promise<void> {
    await store.apply({
      context: schedulerContext(now),
      steps: changes.flatMap(({ steps }) => steps),
      events: changes.flatMap(({ events }) => events),
    });
  }

  /**
   * Handles jobs one by one after a conflict: another server processes the same jobs, or a slot already has its run.
   */
  async function handleOne(id: string, isDue: (job: StoredJob) => boolean, handle: DueHandler, now: Date) {
    const job = await rows.get(id);
    if (!job || !isDue(job)) return;
    try {
      await apply([await handle(job)], now);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      if (error.message !== "duplicate") return;
      // The slot already has its run: the clock was set back.
      const { nextAt, paused } = dueJob(job, now);
      await apply([advance(job, { nextAt, paused }, now.toISOString())], now);
    }
  }

  async function handleAll(
    jobs: readonly StoredJob[],
    isDue: (job: StoredJob) => boolean,
    handle: DueHandler,
    now: Date,
  ): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await apply(await Promise.all(jobs.map(handle)), now);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      for (const { id } of jobs) await handleOne(id, isDue, handle, now);
    }
  }

  return {
    async runDue() {
      let handled = 0;
      const known = new Map<string, Promise<boolean>>();
      const isKnownActive = ({ environmentId: id }: StoredJob) => known.getOrInsertComputed(id, isActive);
      for (;;) {
        const now = system.now();
        const time = now.toISOString();
        const over = await rows.pausesOver(time, batch);
        const isOver = ({ paused }: StoredJob) =>
          paused !== null && paused.until !== null && paused.until <= time;
        await handleAll(over, isOver, (job) => endPause(job, now), now);
        const due = await rows.due(time, batch);
        // Expired pauses are ended first, which decides which slots belong to the pause.
        const isDue = (job: StoredJob) => job.nextAt !== null && job.nextAt <= time && !isOver(job);
        const handle = async (job: StoredJob) =>
          (await isKnownActive(job)) ? handleDue(job, now) : skipSlot(job, now);
        await handleAll(due.filter(isDue), isDue, handle, now);
        handled += over.length + due.length;
        if (over.length < batch && due.length < batch) return handled;
      }
    },
    async next() {
      const at = await rows.earliest();
      return at === undefined ? undefined : new Date(at);
    },
  };
}

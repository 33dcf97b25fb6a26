import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { type Change, type DomainEvent, type Step, VersionConflict } from "../../core/store/store.ts";
import { type DueJob, dueJob } from "./due-job.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import { byScheduler, type Queue } from "./queue.ts";
import { problemEvent } from "./watch-change.ts";

/** Jobs per change. */
const batch = 200;

/** Processes due jobs: schedules, live jobs and expired pauses. */
export interface Scheduler {
  /** Processes the due jobs; returns how many. */
  look(): Promise<number>;
  /** When the next job is due; undefined: not until something changes. */
  next(): Promise<Date | undefined>;
}

type Move = (job: StoredJob) => Moving | Promise<Moving>;

interface Moving {
  readonly steps: Step[];
  readonly events: DomainEvent[];
}

/** Steps and events that join the change in which a pause expires. */
export type PauseEnded = (job: StoredJob) => Promise<Pick<Change, "steps" | "events">>;

export function createScheduler(
  { store, system }: Dependencies,
  rows: JobRows,
  queue: Queue,
  pauseEnded: PauseEnded,
): Scheduler {
  function moving(job: StoredJob, { nextAt, paused, fired }: DueJob, time: string): Moving {
    const pause = paused === null ? null : encodeJson(paused);
    const move = rows.advance({ id: job.id, version: job.version, next_at: nextAt, paused: pause });
    const run = fired && queue.put(job, fired, time);
    return { steps: [{ ...move, expect: 1 }, ...(run?.steps ?? [])], events: run?.events ?? [] };
  }

  /** A broken job must not keep the others from running. */
  function taking(job: StoredJob, now: Date): Moving {
    try {
      return moving(job, dueJob(job, now), now.toISOString());
    } catch (error) {
      const { steps } = moving(job, { nextAt: null, paused: job.paused }, now.toISOString());
      const problem = `Its schedule cannot be read: ${(error as Error).message}`;
      return {
        steps: [...steps, rows.tellProblem({ id: job.id, problem })],
        events: [problemEvent(job, problem)],
      };
    }
  }

  async function resuming(job: StoredJob, now: Date): Promise<Moving> {
    const { trigger } = job.definition;
    // Slots before its end belong to the pause; later ones do not. A live job starts again at once.
    const over = job.paused?.until ?? now.toISOString();
    const turn = job.nextAt !== null && job.nextAt <= over ? dueJob(job, new Date(over)) : job;
    const nextAt = trigger.kind === "live" && !job.open ? now.toISOString() : turn.nextAt;
    const { reason, missed, last_missed } = turn.paused ?? job.paused ?? {};
    const joining = await pauseEnded(job);
    return {
      steps: [
        { ...rows.endPause({ id: job.id, version: job.version, next_at: nextAt }), expect: 1 },
        ...joining.steps,
      ],
      events: [
        ...joining.events,
        {
          kind: "job.resumed",
          subject: `job/${job.id}`,
          data: { name: job.name, reason, missed, last_missed },
        },
      ],
    };
  }

  async function apply(moves: readonly Moving[], now: Date): Promise<void> {
    await store.apply({
      context: byScheduler(now),
      steps: moves.flatMap(({ steps }) => steps),
      events: moves.flatMap(({ events }) => events),
    });
  }

  /** One by one, after a conflict: another server processes the same jobs, or a slot already has its run. */
  async function alone(id: string, isDue: (job: StoredJob) => boolean, move: Move, now: Date) {
    const job = await rows.get(id);
    if (!job || !isDue(job)) return;
    try {
      await apply([await move(job)], now);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      if (error.message !== "duplicate") return;
      // The slot already has its run: the clock was set back.
      const { nextAt, paused } = dueJob(job, now);
      await apply([moving(job, { nextAt, paused }, now.toISOString())], now);
    }
  }

  async function moveAll(
    jobs: readonly StoredJob[],
    isDue: (job: StoredJob) => boolean,
    move: Move,
    now: Date,
  ): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await apply(await Promise.all(jobs.map(move)), now);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      for (const { id } of jobs) await alone(id, isDue, move, now);
    }
  }

  return {
    async look() {
      let looked = 0;
      for (;;) {
        const now = system.now();
        const time = now.toISOString();
        const over = await rows.pausesOver(time, batch);
        const isOver = ({ paused }: StoredJob) =>
          paused !== null && paused.until !== null && paused.until <= time;
        await moveAll(over, isOver, (job) => resuming(job, now), now);
        const due = await rows.due(time, batch);
        // Expired pauses are ended first, which decides which slots belong to the pause.
        const isDue = (job: StoredJob) => job.nextAt !== null && job.nextAt <= time && !isOver(job);
        await moveAll(due.filter(isDue), isDue, (job) => taking(job, now), now);
        looked += over.length + due.length;
        if (over.length < batch && due.length < batch) return looked;
      }
    },
    async next() {
      const at = await rows.earliest();
      return at === undefined ? undefined : new Date(at);
    },
  };
}

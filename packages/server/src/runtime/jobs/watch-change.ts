import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { type DomainEvent, retryOnConflict } from "../../core/store/store.ts";
import type { TriggeredRun } from "./due-job.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import { byScheduler, type Queue } from "./queue.ts";

/** What a watch makes of a job: what it remembers from now on, and perhaps a run. */
export interface WatchResult {
  readonly memory: unknown;
  readonly fired?: TriggeredRun;
}

/** What keeps a trigger from working is told once, and once that it is over. */
export function problemEvent({ id, name }: Pick<StoredJob, "id" | "name">, problem?: string): DomainEvent {
  const subject = `job/${id}`;
  return problem === undefined
    ? { kind: "job.problem_solved", subject, data: { name } }
    : { kind: "job.problem_found", subject, data: { name, problem } };
}

export type WatchChange = ReturnType<typeof createWatchChange>;

/**
 * Lets a job that watches something decide on what it remembers, and writes both its memory and its run in one
 * change. What has changed is only remembered with the run that is for it: so nothing gets lost while a run is
 * still going on, or while the job is paused, and no two servers run for the same thing.
 */
export function createWatchChange({ store, system }: Dependencies, rows: JobRows, queue: Queue) {
  return {
    /** Answers whether a run was queued. */
    decide: (id: string, look: (job: StoredJob, memory: unknown, now: Date) => WatchResult | undefined) =>
      retryOnConflict(async () => {
        const job = await rows.get(id);
        if (!job) return false;
        const now = system.now();
        const time = now.toISOString();
        const seen = look(job, await rows.memory(id), now);
        if (!seen) return false;
        const { paused } = job;
        if (seen.fired && paused) {
          if (paused.missed > 0) return false;
          // It waits for the end of the pause; until then it is one run that would have been.
          const missed = encodeJson({ ...paused, missed: 1, last_missed: time });
          const step = rows.advance({ id, version: job.version, next_at: job.nextAt, paused: missed });
          await store.apply({ context: byScheduler(now), steps: [{ ...step, expect: 1 }], events: [] });
          return false;
        }
        if (seen.fired && job.open && !job.definition.overlap) return false;
        const memory = encodeJson(seen.memory);
        const pause = paused && encodeJson(paused);
        const step = rows.remember({ id, version: job.version, memory, paused: pause });
        const run = seen.fired && queue.put(job, seen.fired, time);
        await store.apply({
          context: byScheduler(now),
          steps: [{ ...step, expect: 1 }, ...(run?.steps ?? [])],
          events: run?.events ?? [],
        });
        return run !== undefined;
      }),
    /** Shows on the job what keeps its trigger from working; undefined: nothing any more. */
    async tell(id: string, problem: string | undefined): Promise<void> {
      const job = await rows.get(id);
      if (!job || (job.problem ?? undefined) === problem) return;
      const step = rows.tellProblem({ id, problem: problem ?? null });
      await store.apply({
        context: byScheduler(system.now()),
        steps: [step],
        events: [problemEvent(job, problem)],
      });
    },
  };
}

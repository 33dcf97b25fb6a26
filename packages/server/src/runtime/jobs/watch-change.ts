import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import type { DomainEvent } from "../../core/store/store.ts";
import { schedulerContext } from "../../core/system.ts";
import type { TriggeredRun } from "./due-job.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Queue } from "./queue.ts";

/** The result of a poll: the new memory of the trigger, and perhaps a run. */
export interface WatchResult {
  readonly memory: unknown;
  readonly fired?: TriggeredRun;
}

/** A problem of a trigger is reported once, and once when it is solved. */
export function problemEvent(
  { id, name, environmentId: environment_id }: Pick<StoredJob, "id" | "name" | "environmentId">,
  problem?: string,
): DomainEvent {
  const subject = `job/${id}`;
  return problem === undefined
    ? { kind: "job.problem_solved", subject, data: { name, environment_id } }
    : { kind: "job.problem_found", subject, data: { name, environment_id, problem } };
}

export type WatchChange = ReturnType<typeof createWatchChange>;

/**
 * Decides on the memory of a trigger and writes memory and run in one transaction. A change enters the memory only
 * together with its run: nothing is lost while a run is active or the job is paused, and no two servers run for the same
 * change.
 */
export function createWatchChange({ store, system }: Dependencies, rows: JobRows, queue: Queue) {
  return {
    /** Returns whether a run was queued. */
    decide: (id: string, evaluate: (job: StoredJob, memory: unknown, now: Date) => WatchResult | undefined) =>
      store.retryOnConflict(async () => {
        const job = await rows.get(id);
        if (!job) return false;
        const now = system.now();
        const time = now.toISOString();
        const result = evaluate(job, await rows.memory(id), now);
        if (!result) return false;
        const { paused } = job;
        if (result.fired && paused) {
          if (paused.missed > 0) return false;
          // The change waits for the end of the pause; until then it counts as one missed run.
          const missed = encodeJson({ ...paused, missed: 1, last_missed: time });
          const step = rows.advance({ id, version: job.version, next_at: job.nextAt, paused: missed });
          await store.apply({ context: schedulerContext(now), steps: [{ ...step, expect: 1 }], events: [] });
          return false;
        }
        if (result.fired && job.open && !job.definition.overlap) return false;
        const memory = encodeJson(result.memory);
        const pause = paused && encodeJson(paused);
        const step = rows.remember({ id, version: job.version, memory, paused: pause });
        const run = result.fired && queue.put(job, result.fired, time);
        await store.apply({
          context: schedulerContext(now),
          steps: [{ ...step, expect: 1 }, ...(run?.steps ?? [])],
          events: run?.events ?? [],
        });
        return run !== undefined;
      }),
    /** Sets the problem that the job shows; undefined: none. */
    async reportProblem(id: string, problem: string | undefined): Promise<void> {
      const job = await rows.get(id);
      if (!job || (job.problem ?? undefined) === problem) return;
      const step = rows.tellProblem({ id, problem: problem ?? null });
      await store.apply({
        context: schedulerContext(system),
        steps: [step],
        events: [problemEvent(job, problem)],
      });
    },
  };
}

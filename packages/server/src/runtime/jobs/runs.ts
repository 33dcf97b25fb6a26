import type { Run, RunCause, RunRequest } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { textOf } from "../../core/store/collection.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { type Change, type ChangeContext, retryOnConflict, VersionConflict } from "../../core/store/store.ts";
import { endedEvent } from "./ended-event.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Queue } from "./queue.ts";
import type { RunEnd } from "./run-end.ts";
import { requireNoSecrets } from "./run-parameters.ts";
import type { NewRun, RunFilter, RunRows } from "./run-rows.ts";
import { hasEnded } from "./run-stream.ts";
import { listedRun } from "./run-summary.ts";

interface RunCreateRequest extends CreateRequest {
  /** Steps and events that join the change that queues the run. */
  readonly also?: Pick<Change, "steps" | "events">;
}

/** Rules for runs: read, start, retry, cancel. */
export interface Runs {
  find(id: string): Promise<Run | undefined>;
  /** 404 if there is none. */
  read(id: string): Promise<Run>;
  /** Newest first, without task outputs. */
  page(
    filter: RunFilter,
    before: string | undefined,
    limit: number,
  ): Promise<{ runs: Run[]; next_before: string | null }>;
  runNow(job: StoredJob, request: RunRequest, call: RunCreateRequest): Promise<Run>;
  /** The run for a slot that the caller names: idempotent. */
  runOnce(job: StoredJob, slot: string, cause: RunCause, context: ChangeContext): Promise<Run>;
  retry(run: Run, job: StoredJob, call: RunCreateRequest): Promise<Run>;
  cancel(id: string, context: ChangeContext): Promise<Run>;
}

export function createRuns(
  { store }: Dependencies,
  rows: { readonly jobs: JobRows; readonly runs: RunRows; readonly queue: Queue; readonly ending: RunEnd },
): Runs {
  const { jobs, runs, queue, ending } = rows;

  async function read(id: string): Promise<Run> {
    const found = await runs.get(id);
    if (!found) throw notFound(`There is no run ${id}.`);
    return found.run;
  }

  async function create(
    job: StoredJob,
    cause: RunCause,
    { context, saveAnswer, also }: RunCreateRequest,
  ): Promise<Run> {
    const { run, steps, events } = queue.put(job, { cause }, context.time);
    const doc = queuedRun(run, context.time);
    await store.apply({
      context,
      steps: [...saveAnswer(textOf(doc), undefined), ...(also?.steps ?? []), ...steps],
      events: [...(also?.events ?? []), ...events],
    });
    return doc;
  }

  return {
    find: async (id) => (await runs.get(id))?.run,
    read,
    async page(filter, before, limit) {
      const found = await runs.page(filter, before, limit + 1);
      const page = found.slice(0, limit).map(listedRun);
      return { runs: page, next_before: found.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
    async runNow(job, { reason, parameters }, call) {
      requireNoSecrets(parameters);
      const cause: RunCause = {
        trigger: "manual",
        by: call.context.actor,
        time: call.context.time,
        ...(reason !== undefined && { reason }),
        ...(parameters !== undefined && { parameters }),
      };
      return create(job, cause, call);
    },
    async runOnce(job, slot, cause, context) {
      const { run, steps, events } = queue.put(job, { slot, cause }, context.time);
      try {
        await store.apply({ context, steps, events });
        return queuedRun(run, context.time);
      } catch (error) {
        const found = error instanceof VersionConflict ? await runs.bySlot(job.id, slot) : undefined;
        if (!found) throw error;
        return found;
      }
    },
    retry({ id, status, cause }, job, call) {
      if (status === "queued" || status === "running" || status === "succeeded") {
        throw conflict(`The run ${id} is ${status}. Only failed, cancelled and skipped runs can be retried.`);
      }
      const { by, time } = { by: call.context.actor, time: call.context.time };
      return create(job, { ...cause, trigger: "retry", by, time, retry_of: id }, call);
    },
    cancel: (id, context) =>
      retryOnConflict(async () => {
        const run = await read(id);
        if (run.status === "cancelled" || (run.status === "running" && run.cancelled)) return run;
        if (hasEnded(run))
          throw conflict(`The run ${id} has already ended (${run.status}) and cannot be cancelled.`);
        const cancelled = { by: context.actor, at: context.time };
        const cancel = encodeJson(cancelled);
        if (run.status === "running") {
          await store.apply({
            context,
            steps: [{ ...runs.askToCancel({ id, cancel }), expect: 1 }],
            events: [],
          });
          return { ...run, cancelled };
        }
        const job = await jobs.get(run.job_id);
        const step = runs.cancelQueued({ id, now: context.time, cancel, error: null });
        await store.apply({
          context,
          steps: [
            { ...step, expect: 1 },
            ...(job ? ending.steps(job, "cancelled", new Date(context.time)) : []),
          ],
          events: [endedEvent(run, job, "cancelled", { by: context.actor })],
        });
        return { ...run, status: "cancelled", ended_at: context.time, not_before: null, cancelled };
      }),
  };
}

/** A run that was just queued. */
const queuedRun = ({ id, jobId, environmentId, cause, error }: NewRun, now: string): Run => ({
  id,
  job_id: jobId,
  environment_id: environmentId,
  status: "queued",
  cause,
  attempt: 0,
  queued_at: now,
  not_before: now,
  started_at: null,
  ended_at: null,
  error,
  metrics: {},
  cancelled: null,
});

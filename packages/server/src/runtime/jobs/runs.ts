import type { Run, RunCause, RunRequest } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem } from "../../core/errors.ts";
import { createScopeLimits } from "../../core/secrets/scope-limits.ts";
import { keyOf, textOf } from "../../core/store/collection.ts";
import { type HistoryRequest, historyPage } from "../../core/store/history-page.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import { type Change, type ChangeContext, VersionConflict } from "../../core/store/store.ts";
import { endedEvent } from "./ended-event.ts";
import type { Executor } from "./executor.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Queue } from "./queue.ts";
import type { RunEnd } from "./run-end.ts";
import type { RunFilter } from "./run-pages.ts";
import { requireNoSecrets } from "./run-parameters.ts";
import type { NewRun, RunRows } from "./run-rows.ts";
import { hasEnded } from "./run-stream.ts";
import { listedRun } from "./run-summary.ts";

/** The most queued runs that one caller has requested. */
const maxQueued = 10_000;

/** Lists of runs and the search for the next run read the causes of up to a thousand runs. */
const maxCauseLength = 64 * 1024;

function requireShort(cause: RunCause): void {
  if (encodeJson(cause).length <= maxCauseLength) return;
  throw new Problem(
    "tooLarge",
    `The reason and the parameters of a run have at most ${maxCauseLength / 1024} KB.`,
  );
}

interface RunCreateRequest extends CreateRequest {
  /** Steps and events that join the change that queues the run. */
  readonly also?: Pick<Change, "steps" | "events">;
}

/** Rules for runs: read, start, retry, cancel. */
export interface Runs {
  find(id: string): Promise<Run | undefined>;
  /** 404 if there is none. */
  read(id: string): Promise<Run>;
  /** Without task outputs; newest first, unless the request says otherwise. */
  page(filter: RunSearch, request: HistoryRequest<string>): Promise<RunPage>;
  runNow(job: StoredJob, request: RunRequest, call: RunCreateRequest): Promise<Run>;
  /** The run for a slot that the caller names: idempotent. */
  runOnce(job: StoredJob, slot: string, cause: RunCause, context: ChangeContext): Promise<Run>;
  retry(run: Run, job: StoredJob, call: RunCreateRequest): Promise<Run>;
  cancel(id: string, context: ChangeContext): Promise<Run>;
  /** The number of queued runs of the caller with the most. */
  queuedUsage(): Promise<{ readonly used: number; readonly limit: number; readonly refused: number }>;
}

/** Filters: the database applies only those of `RunFilter`. */
export interface RunSearch extends RunFilter {
  /** The run has one of these statuses. */
  readonly statuses?: readonly Run["status"][] | undefined;
  /** Who requested the run. */
  readonly owner?: string | undefined;
  readonly search?: string | undefined;
  /** When the run was queued, started or ended last. `updatedAfter` is included, `updatedBefore` is not. */
  readonly updatedAfter?: string | undefined;
  readonly updatedBefore?: string | undefined;
}

export interface RunPage {
  runs: Run[];
  next_before: string | null;
  next_cursor: string | null;
}

/** The filters that all lists of runs take. */
export const runFilters = (query: {
  readonly owner?: string;
  readonly search?: string;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly updated_after?: string;
  readonly updated_before?: string;
}) => ({
  owner: query.owner,
  search: query.search,
  createdAfter: query.created_after,
  createdBefore: query.created_before,
  updatedAfter: query.updated_after,
  updatedBefore: query.updated_before,
});

export function createRuns(
  { store }: Dependencies,
  rows: { readonly jobs: JobRows; readonly runs: RunRows; readonly queue: Queue; readonly ending: RunEnd },
  checkParameters: Executor["checkParameters"],
): Runs {
  const { jobs, runs, queue, ending } = rows;
  const scopes = createScopeLimits(store);
  let refused = 0;

  async function read(id: string): Promise<Run> {
    const found = await runs.get(id);
    if (!found) throw notFound(`There is no run ${id}.`);
    return found.run;
  }

  /** The filter that the database cannot apply; undefined: none. */
  function acceptance({ statuses, owner, search, updatedAfter, updatedBefore }: RunSearch) {
    const conditions = [statuses, owner, search, updatedAfter, updatedBefore];
    if (conditions.every((condition) => condition === undefined)) return undefined;
    const wanted = search?.toLowerCase();
    return (run: Run): boolean => {
      const { status, cause, error, job_id, name } = run;
      const updated = run.ended_at ?? run.started_at ?? run.queued_at;
      if (statuses !== undefined && !statuses.includes(status)) return false;
      if (owner !== undefined && cause.by !== owner) return false;
      if (updatedAfter !== undefined && updated < updatedAfter) return false;
      if (updatedBefore !== undefined && updated >= updatedBefore) return false;
      if (wanted === undefined) return true;
      const texts = [job_id, cause.by, cause.reason, error, name];
      return texts.some((text) => text?.toLowerCase().includes(wanted));
    };
  }

  async function create(
    job: StoredJob,
    cause: RunCause,
    { context, saveAnswer, also }: RunCreateRequest,
  ): Promise<Run> {
    requireShort(cause);
    if (await runs.hasWaiting(keyOf(context.actor), maxQueued)) {
      refused += 1;
      throw new Problem(
        "tooMany",
        `${context.actor} has ${maxQueued} queued runs, the most for one caller. Wait, or cancel some.`,
        { retryAfterSeconds: 60 },
      );
    }
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
    queuedUsage: async () => ({ used: await runs.mostWaiting(), limit: maxQueued, refused }),
    read,
    async page(filter, request) {
      const { environmentIds: _, ...purpose } = filter;
      const keyOf = (value: string) => ({ value, position: 0 });
      const { rows, nextBefore, nextCursor } = await historyPage(
        {
          read: (start, limit) => runs.page(filter, start, limit),
          keyOf: ({ id }) => keyOf(id),
          accepts: acceptance(filter),
        },
        request,
        keyOf,
        "runs",
        purpose,
      );
      return {
        runs: rows.map(listedRun),
        next_before: nextBefore?.value ?? null,
        next_cursor: nextCursor,
      };
    },
    async runNow(job, { reason, parameters }, call) {
      requireNoSecrets(parameters);
      if (parameters !== undefined) await checkParameters?.(job, parameters);
      await scopes.requireMayRefer(parameters, {
        context: call.context,
        environmentId: job.environmentId,
        destinationAt: () => "unknown",
      });
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
      requireShort(cause);
      // The parameters of a known run were checked when it was queued.
      const known = await runs.bySlot(job.id, slot);
      if (known) return known;
      if (cause.parameters !== undefined) await checkParameters?.(job, cause.parameters);
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
      store.retryOnConflict(async () => {
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
        const end = { outcome: "cancelled", error: null, at: new Date(context.time) } as const;
        const step = runs.cancelQueued({ id, now: context.time, cancel, error: null });
        await store.apply({
          context,
          steps: [{ ...step, expect: 1 }, ...(job ? ending.steps(run, job, end) : [])],
          events: [endedEvent(run, job, "cancelled", { by: context.actor })],
        });
        return { ...run, status: "cancelled", ended_at: context.time, not_before: null, cancelled };
      }),
  };
}

/** A run that was just queued. */
const queuedRun = ({ id, jobId, environmentId, kind, name, cause, error }: NewRun, now: string): Run => ({
  id,
  job_id: jobId,
  environment_id: environmentId,
  kind,
  name,
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

import type { Dependencies } from "../../../../core/dependencies.ts";
import { VersionConflict } from "../../../../core/store/store.ts";
import { platformContext } from "../../../../core/system.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import type { Queue } from "../../../jobs/queue.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { numericId } from "../client/json.ts";
import type { Workspaces } from "../workspaces.ts";

import { causeOf, hasEnded, messageOf, stateOf, type WorkspaceRun, wasRequested } from "./run-state.ts";
import { createWorkspaceLooks, type Look, type LooksOptions } from "./workspace-looks.ts";

/** The slots of runs in a workspace begin like this, and end with the id of the run there: it has one run here. */
export const slotPrefix = "databricks/";

export interface FollowerOptions extends Pick<LooksOptions, "mayRun" | "log" | "pace"> {
  readonly workspaces: Workspaces;
  readonly jobs: Pick<JobRows, "get" | "remoteIn" | "remoteEnvironments">;
  readonly runs: Pick<RunRows, "bySlot" | "isOpenBesides" | "newestIn">;
  readonly queue: Queue;
}

const pageSize = 25;
/** Runs that started this long before the newest known one are looked at again: workspaces show new runs late. */
const marginMs = 2 * 60_000;
/** The same after a start of this server, whose clock may differ. */
const firstMarginMs = 10 * 60_000;
/** A workspace keeps runs for 60 days. */
const keptMs = 60 * 24 * 3_600_000;
/** The id of a run begins with the time when we recorded it; lists by time expect that its times are not far from it. */
const longestPastMs = 50 * 60_000;
const mostRemembered = 10_000;

interface Watch {
  readonly runId: string;
  onState(run: WorkspaceRun): void;
  left(): void;
}

interface Followed {
  readonly watches: Set<Watch>;
  /** Ids of runs there that have a run here. */
  readonly recorded: Set<string>;
  /** Completed runs that started since then are listed; undefined: not known yet. */
  since: number | undefined;
}

/**
 * Looks at the runs of workspaces: a list of the active ones and of those that have ended lately, for all jobs of all its
 * environments together. Runs that triggers there have started become runs here. Executors wait for theirs.
 */
export type RunFollower = ReturnType<typeof createRunFollower>;

export function createRunFollower({ store, system }: Dependencies, options: FollowerOptions) {
  const { workspaces, jobs, runs, queue } = options;
  const followed = new Map<string, Followed>();
  const looks = createWorkspaceLooks({
    ...options,
    what: "runs",
    environments: jobs.remoteEnvironments,
    isNeeded: async (id) => follow(id).watches.size > 0 || (await ownJobs(id)).size > 0,
    workspaceOf: async (id) => (await workspaces.open(id)).key,
    look: lookAt,
    forget: (environmentId) => void followed.delete(environmentId),
  });

  function follow(environmentId: string): Followed {
    const known = followed.get(environmentId) ?? {
      watches: new Set(),
      recorded: new Set(),
      since: undefined,
    };
    followed.set(environmentId, known);
    return known;
  }

  async function ownJobs(environmentId: string) {
    const remote = await jobs.remoteIn(environmentId);
    return new Map(remote.filter(({ kind }) => kind !== "pipeline").map((job) => [job.reference, job]));
  }

  async function lookAt(environmentIds: readonly string[], signal: AbortSignal): Promise<Look> {
    const { client } = await workspaces.open(environmentIds[0] ?? "");
    const parts = environmentIds.map((id) => ({
      id,
      environment: follow(id),
      watched: [...follow(id).watches],
    }));
    const active = await listed(client, { active_only: true }, signal);
    for (const { id, environment } of parts)
      environment.since ??= await firstSince(id, [...(await ownJobs(id)).values()]);
    const since = Math.min(...parts.map(({ environment }) => environment.since ?? 0));
    const ended = await listed(client, { completed_only: true, start_time_from: since }, signal);
    let isNews = false;
    for (const { id, environment, watched } of parts) {
      const isRecorded = await recordAll(environment, [...ended.runs, ...active.runs], await ownJobs(id));
      const isEnd = tellWatches(watched, active.runs);
      isNews ||= isRecorded || isEnd;
    }
    return { requests: active.requests + ended.requests, isNews };
  }

  async function listed(
    client: WorkspaceClient,
    filter: Readonly<Record<string, boolean | number>>,
    signal: AbortSignal,
  ) {
    const found: WorkspaceRun[] = [];
    const query = { ...filter, limit: pageSize };
    for await (const run of client.list<WorkspaceRun>("/api/2.2/jobs/runs/list", "runs", query, { signal })) {
      found.push(run);
    }
    return { runs: found, requests: Math.max(1, Math.ceil(found.length / pageSize)) };
  }

  /** After a start: since the newest run that we know, or since the oldest job. */
  async function firstSince(environmentId: string, ours: readonly { readonly created_at: string }[]) {
    const newest = await runs.newestIn(environmentId, slotPrefix);
    const oldest = ours.map(({ created_at }) => created_at).sort()[0];
    const at = Date.parse(newest ?? oldest ?? system.now().toISOString());
    return Math.max(at - firstMarginMs, system.now().getTime() - keptMs, 0);
  }

  /** Records runs that have none here, the oldest first. Returns whether there were any. */
  async function recordAll(
    environment: Followed,
    found: readonly WorkspaceRun[],
    ours: ReadonlyMap<string, { readonly id: string }>,
  ): Promise<boolean> {
    let isNews = false;
    let newest = 0;
    let waiting = Number.POSITIVE_INFINITY;
    for (const run of found.toSorted((a, b) => (a.start_time ?? 0) - (b.start_time ?? 0))) {
      const job = ours.get(run.job_id ?? "");
      newest = Math.max(newest, run.start_time ?? 0);
      if (!job || run.run_id === undefined || environment.recorded.has(run.run_id)) continue;
      const result = await record(run, run.run_id, job.id);
      if (result === "later") waiting = Math.min(waiting, run.start_time ?? 0);
      else environment.recorded.add(run.run_id);
      isNews ||= result === "recorded";
    }
    if (environment.recorded.size > mostRemembered) environment.recorded.clear();
    const next = Math.min(newest - marginMs, waiting - 1);
    environment.since = Math.max(environment.since ?? 0, next);
    return isNews;
  }

  async function record(
    run: WorkspaceRun,
    runId: string,
    jobId: string,
  ): Promise<"recorded" | "known" | "later"> {
    const slot = `${slotPrefix}${runId}`;
    if (await runs.bySlot(jobId, slot)) return "known";
    // Perhaps a run of ours has just started it, and its answer is on the way.
    if (wasRequested(run) && (await runs.isOpenBesides(jobId, slotPrefix))) return "later";
    const job = await jobs.get(jobId);
    if (!job) return "known";
    const now = system.now();
    const cause = causeOf(run, now);
    const skipped =
      hasEnded(run) && stateOf(run) === "skipped"
        ? (messageOf(run) ?? "The workspace skipped it: the previous run was still running.")
        : undefined;
    const at = Math.max(
      Math.min(run.start_time ?? now.getTime(), now.getTime()),
      now.getTime() - longestPastMs,
    );
    const { steps, events } = queue.put(
      job,
      { slot, cause, ...(skipped !== undefined && { skipped }) },
      new Date(at).toISOString(),
    );
    try {
      await store.apply({ context: platformContext(now), steps, events });
      return "recorded";
    } catch (error) {
      if (error instanceof VersionConflict) return "known";
      throw error;
    }
  }

  function tellWatches(watched: readonly Watch[], active: readonly WorkspaceRun[]): boolean {
    const states = new Map(active.map((run) => [run.run_id, run]));
    let isEnd = false;
    for (const watch of watched) {
      const run = states.get(watch.runId);
      if (run) watch.onState(run);
      else watch.left();
      isEnd ||= !run;
    }
    return isEnd;
  }

  return {
    /** Resolves when a run is not among the active ones any more; rejects when the signal is aborted. */
    async left(
      environmentId: string,
      runId: string,
      onState: (run: WorkspaceRun) => void,
      signal: AbortSignal,
    ): Promise<void> {
      signal.throwIfAborted();
      const environment = follow(environmentId);
      const done = Promise.withResolvers<void>();
      const abort = () => done.reject(signal.reason);
      const watch: Watch = { runId, onState, left: done.resolve };
      environment.watches.add(watch);
      environment.recorded.add(runId);
      looks.hurry(environmentId);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await done.promise;
      } finally {
        signal.removeEventListener("abort", abort);
        environment.watches.delete(watch);
      }
    },
    /** Jobs of an environment were installed or changed. */
    notice: looks.notice,
    start: looks.start,
    stop: looks.stop,
  };
}

/** Cancels a run; one that has ended, or is gone, stays as it is. */
export const cancelRun = (client: WorkspaceClient, runId: string): Promise<object> =>
  client.send("POST", "/api/2.2/jobs/runs/cancel", { run_id: numericId(runId) }, { isIdempotent: true });

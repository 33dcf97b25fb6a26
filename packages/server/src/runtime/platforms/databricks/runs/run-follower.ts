import type { Dependencies } from "../../../../core/dependencies.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import type { Queue } from "../../../jobs/queue.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { numericId } from "../client/json.ts";
import type { Workspaces } from "../workspaces.ts";
import { createRemoteRuns, type Followed, slotPrefix } from "./remote-runs.ts";
import { causeOf, hasEnded, messageOf, stateOf, type WorkspaceRun, wasRequested } from "./run-state.ts";
import { createWorkspacePoller, type PollerOptions, type PollResult } from "./workspace-poller.ts";

export interface FollowerOptions extends Pick<PollerOptions, "mayRun" | "log" | "pace"> {
  readonly workspaces: Workspaces;
  readonly jobs: Pick<JobRows, "get" | "remoteIn" | "remoteEnvironments">;
  readonly runs: Pick<RunRows, "bySlot" | "isOpenBesides" | "newestIn">;
  readonly queue: Queue;
}

const pageSize = 25;
/** Runs that started this long before the newest known one are listed again: workspaces show new runs late. */
const marginMs = 2 * 60_000;
/** The same after a start of this server, whose clock may differ. */
const firstMarginMs = 10 * 60_000;
/** A workspace keeps runs for 60 days. */
const keptMs = 60 * 24 * 3_600_000;
/**
 * Polls the runs of workspaces: a list of the active ones and of those that have ended lately, for all jobs of all its
 * environments together. Runs that triggers there have started become runs here. Executors wait for theirs.
 */
export type RunFollower = ReturnType<typeof createRunFollower>;

export function createRunFollower(dependencies: Dependencies, options: FollowerOptions) {
  const { system } = dependencies;
  const { workspaces, jobs, runs } = options;
  /** Completed runs that started since then are listed, by environment. */
  const listedSince = new Map<string, number>();
  const poller = createWorkspacePoller({
    ...options,
    what: "runs",
    environments: jobs.remoteEnvironments,
    isNeeded: async (id) => remote.of(id).watches.size > 0 || (await ownJobs(id)).size > 0,
    workspaceOf: async (id) => (await workspaces.open(id)).key,
    poll,
    forget(environmentId) {
      remote.forget(environmentId);
      listedSince.delete(environmentId);
    },
  });
  const remote = createRemoteRuns<WorkspaceRun>(dependencies, { ...options, hurry: poller.hurry });

  async function ownJobs(environmentId: string) {
    const remote = await jobs.remoteIn(environmentId);
    return new Map(remote.filter(({ kind }) => kind !== "pipeline").map((job) => [job.reference, job]));
  }

  async function poll(environmentIds: readonly string[], signal: AbortSignal): Promise<PollResult> {
    const { client } = await workspaces.open(environmentIds[0] ?? "");
    const parts = environmentIds.map((id) => ({
      id,
      environment: remote.of(id),
      watched: [...remote.of(id).watches],
    }));
    const active = await listed(client, { active_only: true }, signal);
    for (const id of environmentIds) {
      if (!listedSince.has(id)) listedSince.set(id, await firstSince(id, [...(await ownJobs(id)).values()]));
    }
    const since = Math.min(...environmentIds.map((id) => listedSince.get(id) ?? 0));
    const ended = await listed(client, { completed_only: true, start_time_from: since }, signal);
    const states = new Map(active.runs.map((run) => [run.run_id, run]));
    let isNews = false;
    for (const { id, environment, watched } of parts) {
      const isRecorded = await recordAll(id, environment, [...ended.runs, ...active.runs]);
      const isEnd = remote.tell(watched, (runId) => states.get(runId));
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

  /** After a start of this server: since the newest run that we know, or since the oldest job. */
  async function firstSince(environmentId: string, ours: readonly { readonly created_at: string }[]) {
    const newest = await runs.newestIn(environmentId, slotPrefix);
    const oldest = ours.map(({ created_at }) => created_at).sort()[0];
    const at = Date.parse(newest ?? oldest ?? system.now().toISOString());
    return Math.max(at - firstMarginMs, system.now().getTime() - keptMs, 0);
  }

  /** Records runs that have none here, the oldest first. Returns whether there were any. */
  async function recordAll(
    environmentId: string,
    environment: Followed<WorkspaceRun>,
    found: readonly WorkspaceRun[],
  ): Promise<boolean> {
    const ours = await ownJobs(environmentId);
    let isNews = false;
    let newest = 0;
    let waiting = Number.POSITIVE_INFINITY;
    for (const run of found.toSorted((a, b) => (a.start_time ?? 0) - (b.start_time ?? 0))) {
      const job = ours.get(run.job_id ?? "");
      newest = Math.max(newest, run.start_time ?? 0);
      if (!job || run.run_id === undefined) continue;
      const isSkipped = hasEnded(run) && stateOf(run) === "skipped";
      const result = await remote.record(environment, job.id, {
        id: run.run_id,
        startedMs: run.start_time,
        wasRequested: wasRequested(run),
        causeOf: (_, now) => causeOf(run, now),
        skipped: isSkipped
          ? (messageOf(run) ?? "The workspace skipped it: the previous run was still running.")
          : undefined,
      });
      if (result === "later") waiting = Math.min(waiting, run.start_time ?? 0);
      isNews ||= result === "recorded";
    }
    const next = Math.min(newest - marginMs, waiting - 1);
    listedSince.set(environmentId, Math.max(listedSince.get(environmentId) ?? 0, next));
    return isNews;
  }

  return {
    left: remote.left,
    /** Jobs of an environment were installed or changed. */
    notice: poller.notice,
    start: poller.start,
    stop: poller.stop,
  };
}

/** Cancels a run; one that has ended, or is gone, stays as it is. */
export const cancelRun = (client: WorkspaceClient, runId: string): Promise<object> =>
  client.send("POST", "/api/2.2/jobs/runs/cancel", { run_id: numericId(runId) }, { isIdempotent: true });

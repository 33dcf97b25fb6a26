import type { Dependencies } from "../../../../core/dependencies.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { createRemoteRuns, type Followed } from "../runs/remote-runs.ts";
import type { FollowerOptions } from "../runs/run-follower.ts";
import { createWorkspacePoller, type PollResult } from "../runs/workspace-poller.ts";
import { causeOf, createdMs, hasEnded, type WorkspaceUpdate, wasRequested } from "./update-state.ts";
import {
  type ListedUpdate,
  pathOf,
  pipelines,
  readPipeline,
  type WorkspacePipeline,
} from "./workspace-pipelines.ts";

const pageSize = 100;
/** More updates than this since the last poll are not recorded. */
const mostMissed = 500;

interface OwnJobRow {
  readonly id: string;
  readonly reference: string;
}

/**
 * Polls the pipelines of workspaces: one list for all environments of a workspace, with the latest updates of each
 * pipeline. Updates that were started there become runs here. Executors wait for theirs.
 */
export type UpdateFollower = ReturnType<typeof createUpdateFollower>;

export function createUpdateFollower(dependencies: Dependencies, options: FollowerOptions) {
  const { workspaces, jobs } = options;
  /** How many pages the list of all pipelines had, by the environment that it was read with. */
  const pages = new Map<string, number>();
  const poller = createWorkspacePoller({
    ...options,
    what: "pipelines",
    environments: jobs.remoteEnvironments,
    isNeeded: async (id) => remote.of(id).watches.size > 0 || (await ownPipelines(id)).length > 0,
    workspaceOf: async (id) => (await workspaces.open(id)).key,
    poll,
    forget(environmentId) {
      remote.forget(environmentId);
      pages.delete(environmentId);
    },
  });
  const remote = createRemoteRuns<string>(dependencies, { ...options, hurry: poller.hurry });

  const ownPipelines = async (environmentId: string) =>
    (await jobs.remoteIn(environmentId)).filter(({ kind }) => kind === "pipeline");

  async function poll(environmentIds: readonly string[], signal: AbortSignal): Promise<PollResult> {
    const [first = ""] = environmentIds;
    const { client } = await workspaces.open(first);
    const parts = [];
    for (const id of environmentIds) {
      const environment = remote.of(id);
      parts.push({ environment, ours: await ownPipelines(id), watched: [...environment.watches] });
    }
    const all = parts.flatMap(({ ours }) => ours);
    const found = await current(client, first, all, signal);
    const updates = [...found.pipelines.values()].flatMap(({ latest_updates = [] }) => latest_updates);
    const active = updates.filter((update) => !hasEnded(update));
    const states = new Map(active.map(({ update_id, state }) => [update_id, state ?? ""]));
    let isNews = false;
    for (const { environment, ours, watched } of parts) {
      for (const job of ours) {
        const pipeline = found.pipelines.get(job.reference);
        if (!pipeline) continue;
        for (const update of await unrecorded(client, environment, job, pipeline)) {
          if ((await record(client, environment, update, job)) === "recorded") isNews = true;
        }
      }
      const isEnd = remote.tell(watched, (id) => states.get(id));
      isNews ||= isEnd;
    }
    return { requests: found.requests, isNews };
  }

  /** Our pipelines as they are now: by the list of all, or one by one if they are fewer than its pages. */
  async function current(
    client: WorkspaceClient,
    environmentId: string,
    ours: readonly OwnJobRow[],
    signal: AbortSignal,
  ) {
    const known = new Map<string, WorkspacePipeline>();
    if (ours.length <= (pages.get(environmentId) ?? 1)) {
      for (const { reference } of ours) {
        const one = await readPipeline(client, reference);
        if (one) known.set(reference, one);
      }
      return { pipelines: known, requests: ours.length };
    }
    const wanted = new Set(ours.map(({ reference }) => reference));
    let items = 0;
    const query = { max_results: pageSize };
    for await (const one of client.list<WorkspacePipeline>(pipelines, "statuses", query, { signal })) {
      items += 1;
      if (wanted.has(one.pipeline_id ?? "")) known.set(one.pipeline_id ?? "", one);
    }
    const requests = Math.max(1, Math.ceil(items / pageSize));
    pages.set(environmentId, requests);
    return { pipelines: known, requests };
  }

  /** The updates that have no run here, the oldest first. */
  async function unrecorded(
    client: WorkspaceClient,
    environment: Followed<string>,
    job: OwnJobRow,
    { latest_updates: latest = [] }: WorkspacePipeline,
  ): Promise<ListedUpdate[]> {
    const isNew = async ({ update_id }: ListedUpdate) =>
      update_id !== undefined && !(await remote.isRecorded(environment, job.id, update_id));
    const fresh: ListedUpdate[] = [];
    for (const update of latest) if (await isNew(update)) fresh.push(update);
    // All of the latest ones are new, so there may be more before them.
    if (fresh.length === latest.length && latest.length >= 5) {
      fresh.length = 0;
      const query = { max_results: pageSize };
      const path = `${pathOf(job.reference)}/updates`;
      for await (const update of client.list<WorkspaceUpdate>(path, "updates", query)) {
        if (fresh.length >= mostMissed || !(await isNew(update))) break;
        fresh.push(update);
      }
    }
    return fresh.sort((a, b) => createdMs(a) - createdMs(b));
  }

  async function record(
    client: WorkspaceClient,
    environment: Followed<string>,
    { update_id = "" }: ListedUpdate,
    { id, reference }: OwnJobRow,
  ): Promise<"recorded" | "known" | "later"> {
    const update = await readUpdate(client, reference, update_id);
    return remote.record(environment, id, {
      id: update_id,
      startedMs: createdMs(update) || undefined,
      wasRequested: wasRequested(update),
      causeOf: ({ definition }, now) => causeOf(update, definition.trigger.kind === "live", now),
    });
  }

  return { left: remote.left, notice: poller.notice, start: poller.start, stop: poller.stop };
}

export async function readUpdate(
  client: WorkspaceClient,
  pipelineId: string,
  updateId: string,
  signal?: AbortSignal,
): Promise<WorkspaceUpdate> {
  const path = `${pathOf(pipelineId)}/updates/${encodeURIComponent(updateId)}`;
  const { update = {} } = await client.get<{ update?: WorkspaceUpdate }>(path, {}, { signal });
  return update;
}

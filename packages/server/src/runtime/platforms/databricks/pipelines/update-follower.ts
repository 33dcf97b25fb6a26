import type { Dependencies } from "../../../../core/dependencies.ts";
import { VersionConflict } from "../../../../core/store/store.ts";
import { platformContext } from "../../../../core/system.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { type FollowerOptions, slotPrefix } from "../runs/run-follower.ts";
import { createWorkspaceLooks, type Look } from "../runs/workspace-looks.ts";
import { causeOf, createdMs, hasEnded, type WorkspaceUpdate, wasRequested } from "./update-state.ts";
import {
  type ListedUpdate,
  pathOf,
  pipelines,
  readPipeline,
  type WorkspacePipeline,
} from "./workspace-pipelines.ts";

const pageSize = 100;
/** More updates than this since the last look are not recorded. */
const mostMissed = 500;
const mostRemembered = 10_000;
/** The id of a run begins with the time when we recorded it; lists by time expect that its times are not far from it. */
const longestPastMs = 50 * 60_000;

interface Watch {
  readonly updateId: string;
  onState(state: string): void;
  left(): void;
}

interface Followed {
  readonly watches: Set<Watch>;
  /** Ids of updates that have a run here. */
  readonly recorded: Set<string>;
  /** How many pages the list of all pipelines had; undefined: not known yet. */
  pages: number | undefined;
}

interface OwnJobRow {
  readonly id: string;
  readonly reference: string;
}

/**
 * Looks at the pipelines of workspaces: one list for all its environments, which has the latest updates of each. Updates that
 * were started there become runs here. Executors wait for theirs.
 */
export type UpdateFollower = ReturnType<typeof createUpdateFollower>;

export function createUpdateFollower({ store, system }: Dependencies, options: FollowerOptions) {
  const { workspaces, jobs, runs, queue } = options;
  const followed = new Map<string, Followed>();
  const looks = createWorkspaceLooks({
    ...options,
    what: "pipelines",
    environments: jobs.remoteEnvironments,
    isNeeded: async (id) => follow(id).watches.size > 0 || (await ownPipelines(id)).length > 0,
    workspaceOf: async (id) => (await workspaces.open(id)).key,
    look: lookAt,
    forget: (environmentId) => void followed.delete(environmentId),
  });

  function follow(environmentId: string): Followed {
    const known = followed.get(environmentId) ?? {
      watches: new Set(),
      recorded: new Set(),
      pages: undefined,
    };
    followed.set(environmentId, known);
    return known;
  }

  const ownPipelines = async (environmentId: string) =>
    (await jobs.remoteIn(environmentId)).filter(({ kind }) => kind === "pipeline");

  async function lookAt(environmentIds: readonly string[], signal: AbortSignal): Promise<Look> {
    const [first = ""] = environmentIds;
    const { client } = await workspaces.open(first);
    const parts = [];
    for (const id of environmentIds) {
      const environment = follow(id);
      parts.push({ environment, ours: await ownPipelines(id), watched: [...environment.watches] });
    }
    const all = parts.flatMap(({ ours }) => ours);
    const found = await current(client, follow(first), all, signal);
    let isNews = false;
    for (const { environment, ours, watched } of parts) {
      for (const job of ours) {
        const pipeline = found.pipelines.get(job.reference);
        if (!pipeline) continue;
        for (const update of await unrecorded(client, environment, job, pipeline)) {
          if ((await record(client, environment, update, job)) === "recorded") isNews = true;
        }
      }
      if (environment.recorded.size > mostRemembered) environment.recorded.clear();
      const isEnd = tellWatches(watched, found.pipelines);
      isNews ||= isEnd;
    }
    return { requests: found.requests, isNews };
  }

  /** Our pipelines as they are now: by the list of all, or one by one if they are fewer than its pages. */
  async function current(
    client: WorkspaceClient,
    environment: Followed,
    ours: readonly OwnJobRow[],
    signal: AbortSignal,
  ) {
    const known = new Map<string, WorkspacePipeline>();
    if (ours.length <= (environment.pages ?? 1)) {
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
    environment.pages = Math.max(1, Math.ceil(items / pageSize));
    return { pipelines: known, requests: environment.pages };
  }

  /** The updates that have no run here, the oldest first. */
  async function unrecorded(
    client: WorkspaceClient,
    environment: Followed,
    job: OwnJobRow,
    { latest_updates: latest = [] }: WorkspacePipeline,
  ): Promise<ListedUpdate[]> {
    const isNew = async ({ update_id }: ListedUpdate) => {
      if (update_id === undefined || environment.recorded.has(update_id)) return false;
      if (!(await runs.bySlot(job.id, `${slotPrefix}${update_id}`))) return true;
      environment.recorded.add(update_id);
      return false;
    };
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
    environment: Followed,
    { update_id = "" }: ListedUpdate,
    { id, reference }: OwnJobRow,
  ): Promise<"recorded" | "known" | "later"> {
    const update = await readUpdate(client, reference, update_id);
    // Perhaps a run of ours has just started it, and its answer is on the way.
    if (wasRequested(update) && (await runs.isOpenBesides(id, slotPrefix))) return "later";
    const job = await jobs.get(id);
    if (!job) return "known";
    const now = system.now();
    const cause = causeOf(update, job.definition.trigger.kind === "live", now);
    const created = createdMs(update) || now.getTime();
    const at = Math.max(Math.min(created, now.getTime()), now.getTime() - longestPastMs);
    const fired = { slot: `${slotPrefix}${update_id}`, cause };
    const { steps, events } = queue.put(job, fired, new Date(at).toISOString());
    environment.recorded.add(update_id);
    try {
      await store.apply({ context: platformContext(now), steps, events });
      return "recorded";
    } catch (error) {
      if (error instanceof VersionConflict) return "known";
      throw error;
    }
  }

  function tellWatches(watched: readonly Watch[], found: ReadonlyMap<string, WorkspacePipeline>): boolean {
    const updates = [...found.values()].flatMap(({ latest_updates = [] }) => latest_updates);
    const states = new Map(updates.map((update) => [update.update_id, update]));
    let isEnd = false;
    for (const watch of watched) {
      const update = states.get(watch.updateId);
      if (update && !hasEnded(update)) watch.onState(update.state ?? "");
      else watch.left();
      isEnd ||= !update || hasEnded(update);
    }
    return isEnd;
  }

  return {
    /** Resolves when an update is not among the active ones any more; rejects when the signal is aborted. */
    async left(
      environmentId: string,
      updateId: string,
      onState: (state: string) => void,
      signal: AbortSignal,
    ): Promise<void> {
      signal.throwIfAborted();
      const environment = follow(environmentId);
      const done = Promise.withResolvers<void>();
      const abort = () => done.reject(signal.reason);
      const watch: Watch = { updateId, onState, left: done.resolve };
      environment.watches.add(watch);
      looks.hurry(environmentId);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await done.promise;
      } finally {
        signal.removeEventListener("abort", abort);
        environment.watches.delete(watch);
      }
    },
    notice: looks.notice,
    start: looks.start,
    stop: looks.stop,
  };
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

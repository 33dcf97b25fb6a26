import type { RunCause } from "@lakehelm/contract";
import type { Dependencies } from "../../../../core/dependencies.ts";
import { VersionConflict } from "../../../../core/store/store.ts";
import { platformContext } from "../../../../core/system.ts";
import type { JobRows, StoredJob } from "../../../jobs/job-rows.ts";
import type { Queue } from "../../../jobs/queue.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";

/** The prefix of the slots of runs in a workspace. The id of the run there follows, so that it has one run here. */
export const slotPrefix = "databricks/";

/**
 * The id of a run begins with the time when we recorded it; lists by time expect that the times of the run are not far
 * from it.
 */
const longestPastMs = 50 * 60_000;
const mostRemembered = 10_000;

/** A waiter for the end of something in the workspace. */
export interface Watch<State> {
  readonly id: string;
  onState(state: State): void;
  left(): void;
}

/** What is known about an environment. */
export interface Followed<State> {
  readonly watches: Set<Watch<State>>;
  /** Ids in the workspace that have a run here. */
  readonly recorded: Set<string>;
}

/** Something that runs in the workspace, or has run. */
interface Remote {
  readonly id: string;
  /** When it started, in milliseconds; undefined: not known. */
  readonly startedMs: number | undefined;
  /** Whether a request started it, which may have been ours. */
  readonly wasRequested: boolean;
  /** The message, if the workspace skipped it. */
  readonly skipped?: string | undefined;
  causeOf(job: StoredJob, now: Date): RunCause;
}

interface RemoteRunsOptions {
  readonly jobs: Pick<JobRows, "get">;
  readonly runs: Pick<RunRows, "bySlot" | "isOpenBesides">;
  readonly queue: Queue;
  /** Called when a caller waits for something in an environment. */
  readonly hurry: (environmentId: string) => void;
}

/**
 * The runs here of what runs in workspaces: runs of jobs, or updates of pipelines. What was started there is recorded once, and
 * executors wait for the end of theirs.
 */
export function createRemoteRuns<State>(
  { store, system }: Dependencies,
  { jobs, runs, queue, hurry }: RemoteRunsOptions,
) {
  const environments = new Map<string, Followed<State>>();

  function of(environmentId: string): Followed<State> {
    const known = environments.get(environmentId) ?? { watches: new Set(), recorded: new Set() };
    environments.set(environmentId, known);
    return known;
  }

  async function isRecorded({ recorded }: Followed<State>, jobId: string, id: string): Promise<boolean> {
    if (recorded.has(id)) return true;
    if (!(await runs.bySlot(jobId, `${slotPrefix}${id}`))) return false;
    remember(recorded, id);
    return true;
  }

  function remember(recorded: Set<string>, id: string): void {
    if (recorded.size >= mostRemembered) recorded.clear();
    recorded.add(id);
  }

  return {
    of,
    forget: (environmentId: string) => void environments.delete(environmentId),
    isRecorded,
    /** Adds a run, unless there is one. `later`: it may be our own, whose answer has not arrived yet. */
    async record(
      environment: Followed<State>,
      jobId: string,
      { id, startedMs, wasRequested, skipped, causeOf }: Remote,
    ): Promise<"recorded" | "known" | "later"> {
      if (await isRecorded(environment, jobId, id)) return "known";
      if (wasRequested && (await runs.isOpenBesides(jobId, slotPrefix))) return "later";
      const job = await jobs.get(jobId);
      if (!job) return "known";
      const now = system.now();
      const nowMs = now.getTime();
      const at = Math.max(Math.min(startedMs ?? nowMs, nowMs), nowMs - longestPastMs);
      const fired = {
        slot: `${slotPrefix}${id}`,
        cause: causeOf(job, now),
        ...(skipped !== undefined && { skipped }),
      };
      const { steps, events } = queue.put(job, fired, new Date(at).toISOString());
      try {
        await store.apply({ context: platformContext(now), steps, events });
      } catch (error) {
        if (error instanceof VersionConflict) return "known";
        throw error;
      }
      remember(environment.recorded, id);
      return "recorded";
    },
    /** Tells the watches. `stateOf` returns undefined for what has ended. Returns whether something has ended. */
    tell(watched: readonly Watch<State>[], stateOf: (id: string) => State | undefined): boolean {
      let isEnd = false;
      for (const watch of watched) {
        const state = stateOf(watch.id);
        if (state === undefined) watch.left();
        else watch.onState(state);
        isEnd ||= state === undefined;
      }
      return isEnd;
    },
    /** Resolves when something is not among the active ones any more; rejects when the signal is aborted. */
    async left(
      environmentId: string,
      id: string,
      onState: (state: State) => void,
      signal: AbortSignal,
    ): Promise<void> {
      signal.throwIfAborted();
      const { watches, recorded } = of(environmentId);
      const done = Promise.withResolvers<void>();
      const abort = () => done.reject(signal.reason);
      const watch: Watch<State> = { id, onState, left: done.resolve };
      watches.add(watch);
      remember(recorded, id);
      hurry(environmentId);
      signal.addEventListener("abort", abort, { once: true });
      try {
        await done.promise;
      } finally {
        signal.removeEventListener("abort", abort);
        watches.delete(watch);
      }
    },
  };
}

import type { Logger } from "pino";
import { singleFlight } from "../../../../core/concurrency/single-flight.ts";

export interface PollInterval {
  /** Between two polls of a workspace: the first pause, doubled while nothing happens, up to the longest. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** For each request of a poll: 100 active runs are four pages, and stay below two requests a second. */
  readonly perRequestMs: number;
}

const usualInterval: PollInterval = { firstMs: 1_000, longestMs: 30_000, perRequestMs: 750 };

export interface PollResult {
  /** How many requests it took. */
  readonly requests: number;
  /** Whether something has happened: then the next poll follows soon. */
  readonly isNews: boolean;
}

export interface PollerOptions {
  /** What is polled, for the log. */
  readonly what: string;
  /** Environments that have something to poll. */
  readonly environments: () => Promise<readonly string[]>;
  /** Whether there is something to poll in an environment. */
  readonly isNeeded: (environmentId: string) => Promise<boolean>;
  /** The workspace of an environment: environments with the same one are polled together. */
  readonly workspaceOf: (environmentId: string) => Promise<string>;
  /** Polls a workspace, for all these environments. */
  readonly poll: (environmentIds: readonly string[], signal: AbortSignal) => Promise<PollResult>;
  /** The environment is no longer polled: what was remembered about it is not needed. */
  readonly forget: (environmentId: string) => void;
  /** Whether this server executes runs. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
  readonly pace?: PollInterval | undefined;
}

/** A workspace, or an environment whose workspace is not known yet. */
interface PolledWorkspace {
  readonly key: string;
  /** The environments, each with the number of successive polls for which it had nothing. */
  readonly environments: Map<string, number>;
  pauseMs: number;
  /** When the next poll is planned, and the earliest time for it, of the monotonic clock. */
  nextMs: number;
  earliestMs: number;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  readonly poll: () => Promise<void>;
}

/** An environment without jobs is polled a few more times: its first job may be about to be committed. */
const mostIdlePolls = 5;

/** Polls workspaces: often while something happens, rarely while nothing does. */
export function createWorkspacePoller(options: PollerOptions) {
  const { mayRun, log, pace = usualInterval } = options;
  const polled = new Map<string, PolledWorkspace>();
  const stopping = new AbortController();
  let started = false;
  let search: NodeJS.Timeout | undefined;

  function workspaceAt(key: string): PolledWorkspace {
    const known = polled.get(key);
    if (known) return known;
    const fresh: PolledWorkspace = {
      key,
      environments: new Map(),
      pauseMs: pace.firstMs,
      nextMs: Number.POSITIVE_INFINITY,
      earliestMs: 0,
      failures: 0,
      timer: undefined,
      poll: singleFlight(() => poll(fresh)),
    };
    polled.set(key, fresh);
    return fresh;
  }

  /** The polled workspace of an environment; a separate one until its workspace is known. */
  function follow(environmentId: string): PolledWorkspace {
    for (const workspace of polled.values()) if (workspace.environments.has(environmentId)) return workspace;
    const alone = workspaceAt(`environment ${environmentId}`);
    alone.environments.set(environmentId, 0);
    plan(alone, 0);
    return alone;
  }

  /** Plans a poll, unless an earlier one is planned. */
  function plan(workspace: PolledWorkspace, ms: number): void {
    const now = performance.now();
    const at = Math.max(now + ms, workspace.earliestMs);
    if (!started || stopping.signal.aborted || at >= workspace.nextMs) return;
    clearTimeout(workspace.timer);
    workspace.nextMs = at;
    workspace.timer = setTimeout(() => void workspace.poll(), at - now).unref();
  }

  /** The environments to poll. Others are removed: they have nothing to poll, or another workspace. */
  async function needed(workspace: PolledWorkspace): Promise<string[]> {
    const here: string[] = [];
    for (const [id, idle] of [...workspace.environments]) {
      if (!(await options.isNeeded(id))) {
        workspace.environments.set(id, idle + 1);
        if (idle < mostIdlePolls) continue;
        workspace.environments.delete(id);
        options.forget(id);
        continue;
      }
      workspace.environments.set(id, 0);
      const key = await options.workspaceOf(id).catch((error: unknown) => {
        // The configuration of this environment is wrong. It must not keep the other environments of its last workspace
        // waiting.
        if (workspace.environments.size === 1) throw error;
        return `environment ${id}`;
      });
      if (key === workspace.key) here.push(id);
      else move(id, workspace, workspaceAt(key));
    }
    return here;
  }

  function move(environmentId: string, from: PolledWorkspace, to: PolledWorkspace): void {
    from.environments.delete(environmentId);
    to.environments.set(environmentId, 0);
    to.pauseMs = pace.firstMs;
    plan(to, 0);
  }

  async function poll(workspace: PolledWorkspace): Promise<void> {
    if (stopping.signal.aborted) return;
    workspace.nextMs = Number.POSITIVE_INFINITY;
    let requests = 0;
    try {
      if (!mayRun()) return plan(workspace, pace.firstMs);
      const environmentIds = await needed(workspace);
      if (workspace.environments.size === 0) return void polled.delete(workspace.key);
      requests = 2;
      const found =
        environmentIds.length > 0
          ? await options.poll(environmentIds, stopping.signal)
          : { requests: 0, isNews: false };
      requests = found.requests;
      workspace.failures = 0;
      workspace.pauseMs = found.isNews ? pace.firstMs : Math.min(workspace.pauseMs * 2, pace.longestMs);
    } catch (error) {
      if (stopping.signal.aborted) return;
      workspace.failures += 1;
      workspace.pauseMs = Math.min(workspace.pauseMs * 2, pace.longestMs);
      // Logs the first failure, and then about one every hour.
      if (workspace.failures % 120 === 1)
        log.warn(
          { err: error, environments: [...workspace.environments.keys()] },
          `the ${options.what} in a workspace could not be listed`,
        );
    }
    workspace.earliestMs = performance.now() + requests * pace.perRequestMs;
    plan(workspace, workspace.pauseMs);
  }

  return {
    /** There may be something to poll in an environment. */
    notice: (environmentId: string) => void follow(environmentId),
    /** A caller waits for something in an environment: it is polled soon. */
    hurry(environmentId: string): void {
      const workspace = follow(environmentId);
      workspace.pauseMs = pace.firstMs;
      plan(workspace, pace.firstMs);
    },
    start(): void {
      started = true;
      const findAll = async () => {
        for (const id of await options.environments()) follow(id);
      };
      const find = () =>
        void findAll().catch((error) => log.warn({ err: error }, "environments could not be listed"));
      for (const workspace of polled.values()) plan(workspace, 0);
      find();
      search = setInterval(find, pace.longestMs).unref();
    },
    async stop(): Promise<void> {
      stopping.abort(new Error("This server is stopping."));
      clearInterval(search);
      for (const workspace of polled.values()) clearTimeout(workspace.timer);
    },
  };
}

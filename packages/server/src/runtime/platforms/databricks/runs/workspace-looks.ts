import type { Logger } from "pino";
import { singleFlight } from "../../../../core/concurrency/single-flight.ts";

export interface FollowerPace {
  /** Between two looks at a workspace: the first pause, doubled while nothing happens, up to the longest. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** For each request of a look: 100 active runs are four pages, and stay below two requests a second. */
  readonly perRequestMs: number;
}

const usualPace: FollowerPace = { firstMs: 1_000, longestMs: 30_000, perRequestMs: 750 };

/** What a look at a workspace found. */
export interface Look {
  /** How many requests it took. */
  readonly requests: number;
  /** Whether something has happened: then the next look follows soon. */
  readonly isNews: boolean;
}

export interface LooksOptions {
  /** What is looked at, for the log. */
  readonly what: string;
  /** Environments that have something to look at. */
  readonly environments: () => Promise<readonly string[]>;
  /** Whether there is something to look at in an environment. */
  readonly isNeeded: (environmentId: string) => Promise<boolean>;
  /** The workspace of an environment: environments with the same one are looked at together. */
  readonly workspaceOf: (environmentId: string) => Promise<string>;
  /** Looks at a workspace, for all these environments. */
  readonly look: (environmentIds: readonly string[], signal: AbortSignal) => Promise<Look>;
  /** Nothing is looked at any more: what was remembered about it is not needed. */
  readonly forget: (environmentId: string) => void;
  /** Whether this server executes runs. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
  readonly pace?: FollowerPace | undefined;
}

/** A workspace, or an environment whose workspace is not known yet. */
interface Looked {
  readonly key: string;
  /** The environments, with the number of looks in which they needed none. */
  readonly environments: Map<string, number>;
  pauseMs: number;
  /** When the next look is planned, and the earliest time for it, of the monotonic clock. */
  nextMs: number;
  earliestMs: number;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  readonly look: () => Promise<void>;
}

/** An environment that needs no look may have its first job on the way into the database. */
const mostIdleLooks = 5;

/** Looks at workspaces again and again: soon while something happens, rarely while nothing does. */
export function createWorkspaceLooks(options: LooksOptions) {
  const { mayRun, log, pace = usualPace } = options;
  const looked = new Map<string, Looked>();
  const stopping = new AbortController();
  let started = false;
  let search: NodeJS.Timeout | undefined;

  function lookedAs(key: string): Looked {
    const known = looked.get(key);
    if (known) return known;
    const fresh: Looked = {
      key,
      environments: new Map(),
      pauseMs: pace.firstMs,
      nextMs: Number.POSITIVE_INFINITY,
      earliestMs: 0,
      failures: 0,
      timer: undefined,
      look: singleFlight(() => lookAt(fresh)),
    };
    looked.set(key, fresh);
    return fresh;
  }

  /** Its workspace, if it is known already. */
  function follow(environmentId: string): Looked {
    for (const workspace of looked.values()) if (workspace.environments.has(environmentId)) return workspace;
    const alone = lookedAs(`environment ${environmentId}`);
    alone.environments.set(environmentId, 0);
    plan(alone, 0);
    return alone;
  }

  /** A look that is planned earlier stays. */
  function plan(workspace: Looked, ms: number): void {
    const now = performance.now();
    const at = Math.max(now + ms, workspace.earliestMs);
    if (!started || stopping.signal.aborted || at >= workspace.nextMs) return;
    clearTimeout(workspace.timer);
    workspace.nextMs = at;
    workspace.timer = setTimeout(() => void workspace.look(), at - now).unref();
  }

  /** The environments to look at. Others leave: they have nothing, or another workspace. */
  async function needed(workspace: Looked): Promise<string[]> {
    const here: string[] = [];
    for (const [id, idle] of [...workspace.environments]) {
      if (!(await options.isNeeded(id))) {
        workspace.environments.set(id, idle + 1);
        if (idle < mostIdleLooks) continue;
        workspace.environments.delete(id);
        options.forget(id);
        continue;
      }
      workspace.environments.set(id, 0);
      const key = await options.workspaceOf(id).catch((error: unknown) => {
        // Its configuration is wrong. It must not keep the others of its last workspace waiting.
        if (workspace.environments.size === 1) throw error;
        return `environment ${id}`;
      });
      if (key === workspace.key) here.push(id);
      else move(id, workspace, lookedAs(key));
    }
    return here;
  }

  function move(environmentId: string, from: Looked, to: Looked): void {
    from.environments.delete(environmentId);
    to.environments.set(environmentId, 0);
    to.pauseMs = pace.firstMs;
    plan(to, 0);
  }

  async function lookAt(workspace: Looked): Promise<void> {
    if (stopping.signal.aborted) return;
    workspace.nextMs = Number.POSITIVE_INFINITY;
    let requests = 0;
    try {
      if (!mayRun()) return plan(workspace, pace.firstMs);
      const environmentIds = await needed(workspace);
      if (workspace.environments.size === 0) return void looked.delete(workspace.key);
      requests = 2;
      const found =
        environmentIds.length > 0
          ? await options.look(environmentIds, stopping.signal)
          : { requests: 0, isNews: false };
      requests = found.requests;
      workspace.failures = 0;
      workspace.pauseMs = found.isNews ? pace.firstMs : Math.min(workspace.pauseMs * 2, pace.longestMs);
    } catch (error) {
      if (stopping.signal.aborted) return;
      workspace.failures += 1;
      workspace.pauseMs = Math.min(workspace.pauseMs * 2, pace.longestMs);
      // The first failure, and then about every hour.
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
    /** There may be something to look at in an environment. */
    notice: (environmentId: string) => void follow(environmentId),
    /** Somebody waits for something in an environment: it is looked at soon. */
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
      for (const workspace of looked.values()) plan(workspace, 0);
      find();
      search = setInterval(find, pace.longestMs).unref();
    },
    async stop(): Promise<void> {
      stopping.abort(new Error("This server is stopping."));
      clearInterval(search);
      for (const workspace of looked.values()) clearTimeout(workspace.timer);
    },
  };
}

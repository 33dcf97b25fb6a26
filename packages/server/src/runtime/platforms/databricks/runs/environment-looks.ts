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
  /** Looks at the workspace of an environment; undefined: there is nothing to look at. */
  readonly look: (environmentId: string, signal: AbortSignal) => Promise<Look | undefined>;
  /** Nothing is looked at any more: what was remembered about it is not needed. */
  readonly forget: (environmentId: string) => void;
  /** Whether this server executes runs. */
  readonly mayRun: () => boolean;
  readonly log: Logger;
  readonly pace?: FollowerPace | undefined;
}

interface Looked {
  pauseMs: number;
  /** When the next look is planned, and the earliest time for it, of the monotonic clock. */
  nextMs: number;
  earliestMs: number;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  readonly look: () => Promise<void>;
}

/** Looks at the workspaces of environments again and again: soon while something happens, rarely while nothing does. */
export function createEnvironmentLooks(options: LooksOptions) {
  const { mayRun, log, pace = usualPace } = options;
  const looked = new Map<string, Looked>();
  const stopping = new AbortController();
  let started = false;
  let search: NodeJS.Timeout | undefined;

  function follow(environmentId: string): Looked {
    const known = looked.get(environmentId);
    if (known) return known;
    const fresh: Looked = {
      pauseMs: pace.firstMs,
      nextMs: Number.POSITIVE_INFINITY,
      earliestMs: 0,
      failures: 0,
      timer: undefined,
      look: singleFlight(() => lookAt(environmentId, fresh)),
    };
    looked.set(environmentId, fresh);
    plan(fresh, 0);
    return fresh;
  }

  /** A look that is planned earlier stays. */
  function plan(environment: Looked, ms: number): void {
    const now = performance.now();
    const at = Math.max(now + ms, environment.earliestMs);
    if (!started || stopping.signal.aborted || at >= environment.nextMs) return;
    clearTimeout(environment.timer);
    environment.nextMs = at;
    environment.timer = setTimeout(() => void environment.look(), at - now).unref();
  }

  async function lookAt(environmentId: string, environment: Looked): Promise<void> {
    if (stopping.signal.aborted) return;
    environment.nextMs = Number.POSITIVE_INFINITY;
    let requests = 2;
    try {
      if (!mayRun()) return plan(environment, pace.firstMs);
      const found = await options.look(environmentId, stopping.signal);
      if (!found) {
        // Its first job may be on the way into the database.
        environment.pauseMs *= 2;
        if (environment.pauseMs <= pace.longestMs) return plan(environment, environment.pauseMs / 2);
        looked.delete(environmentId);
        options.forget(environmentId);
        return;
      }
      requests = found.requests;
      environment.failures = 0;
      environment.pauseMs = found.isNews ? pace.firstMs : Math.min(environment.pauseMs * 2, pace.longestMs);
    } catch (error) {
      if (stopping.signal.aborted) return;
      environment.failures += 1;
      environment.pauseMs = Math.min(environment.pauseMs * 2, pace.longestMs);
      // The first failure, and then about every hour.
      if (environment.failures % 120 === 1)
        log.warn(
          { err: error, environment: environmentId },
          `the ${options.what} in a workspace could not be listed`,
        );
    }
    environment.earliestMs = performance.now() + requests * pace.perRequestMs;
    plan(environment, environment.pauseMs);
  }

  return {
    /** There may be something to look at in an environment. */
    notice: (environmentId: string) => void follow(environmentId),
    /** Somebody waits for something in an environment: it is looked at soon. */
    hurry(environmentId: string): void {
      const environment = follow(environmentId);
      environment.pauseMs = pace.firstMs;
      plan(environment, pace.firstMs);
    },
    start(): void {
      started = true;
      const findAll = async () => {
        for (const id of await options.environments()) follow(id);
      };
      const find = () =>
        void findAll().catch((error) => log.warn({ err: error }, "environments could not be listed"));
      for (const environment of looked.values()) plan(environment, 0);
      find();
      search = setInterval(find, pace.longestMs).unref();
    },
    async stop(): Promise<void> {
      stopping.abort(new Error("This server is stopping."));
      clearInterval(search);
      for (const environment of looked.values()) clearTimeout(environment.timer);
    },
  };
}

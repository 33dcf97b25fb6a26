import { EngineLost, LimitExceeded } from "@lakehelm/engine";
import { createFairQueue, type FairQueue } from "../../core/concurrency/fair-queue.ts";
import { Problem } from "../../core/errors.ts";
import type { Settings } from "../../settings.ts";

/** Admits requests that evaluate a caller's SQL while the caller waits. */
export interface QueryQueue {
  run<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  readonly usage: FairQueue["usage"];
}

const waitingPerCaller = 32;
const waiting = 256;

/** A caller is refused after this many requests that ended the engine. Each of them counts for half an hour. */
const maxStrikes = 3;
const strikeMs = 30 * 60_000;
/** The pause after the last allowed strike. It doubles with each further one. */
const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

interface Strikes {
  count: number;
  last: number;
}

/**
 * Queries of one caller wait for each other and not for those of others. A request that ends the engine, because it used
 * all its memory or did not react to its timeout, stops the requests of others, too: a caller who does this repeatedly
 * must pause. If it is unknown which of several requests was the cause, each counts for its share.
 */
export function createQueryQueue(settings: Settings, clock = () => performance.now()): QueryQueue {
  const queue = createFairQueue("queries", {
    atOnce: settings.PLATFORM_QUERIES_AT_ONCE,
    perOwner: settings.PLATFORM_QUERIES_PER_CALLER,
    waiting,
    waitingPerOwner: waitingPerCaller,
    waitMs: settings.PLATFORM_QUERY_TIMEOUT_SECONDS * 1000,
  });
  const strikes = new Map<string, Strikes>();
  let running = 0;

  function refuseWhilePaused(caller: string): void {
    const known = strikes.get(caller);
    if (!known) return;
    const age = clock() - known.last;
    if (age > strikeMs) {
      strikes.delete(caller);
      return;
    }
    if (known.count < maxStrikes) return;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.floor(known.count - maxStrikes));
    if (age >= pauseMs) return;
    const sentence = "Your last queries ended the engine for all callers. Wait before you send the next one.";
    throw new Problem("tooMany", sentence, { retryAfterSeconds: Math.ceil((pauseMs - age) / 1000) });
  }

  function strike(caller: string, weight: number): void {
    const known = strikes.get(caller);
    strikes.set(caller, { count: (known?.count ?? 0) + weight, last: clock() });
  }

  return {
    async run(caller, signal, work) {
      refuseWhilePaused(caller);
      return queue.run(caller, signal, async () => {
        running += 1;
        const together = running;
        try {
          return await work();
        } catch (error) {
          const cause = error instanceof Problem ? error.cause : error;
          if (cause instanceof LimitExceeded) strike(caller, 1);
          else if (cause instanceof EngineLost && cause.ranOutOfMemory)
            strike(caller, 1 / Math.max(together, running));
          throw error;
        } finally {
          running -= 1;
        }
      });
    },
    usage: queue.usage,
  };
}

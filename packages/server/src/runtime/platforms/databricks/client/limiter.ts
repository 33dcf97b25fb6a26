import { createFairQueue, type FairQueueLimits } from "../../../../core/concurrency/fair-queue.ts";
import { Problem } from "../../../../core/errors.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * Limits the requests to one workspace, for all environments that use it. No environment takes all slots, and after a 429
 * nothing is sent until the pause is over.
 */
export interface Limiter {
  /** Throws `busy` at once if the pause is longer than `patienceMs`. */
  run<Result>(request: LimitedRequest, work: () => Promise<Result>): Promise<Result>;
  /** No request starts before this many milliseconds have passed. */
  pause(ms: number): void;
}

interface LimitedRequest {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

/** The workspace allows between 20 and 100 requests a second, by kind, and a request takes about 0.1 to 0.5 s. */
const usual: FairQueueLimits = {
  atOnce: 12,
  perOwner: 8,
  waiting: 2_000,
  waitingPerOwner: 1_000,
  waitMs: 60_000,
};

export interface LimiterClock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export function createLimiter(
  host: string,
  clock: LimiterClock,
  limits = usual,
  onWait: (seconds: number) => void = () => {},
): Limiter {
  const queue = createFairQueue("requests to the workspace", limits);
  let pausedUntil = 0;

  async function afterPause(signal: AbortSignal, end: number): Promise<void> {
    for (let wait = pausedUntil - clock.now(); wait > 0; wait = pausedUntil - clock.now()) {
      if (pausedUntil > end) {
        const sentence = `The workspace ${host} gets too many requests. Try again later.`;
        throw new WorkspaceError("busy", sentence, { retryAfterSeconds: Math.ceil(wait / 1000) });
      }
      const began = clock.now();
      await clock.sleep(wait, signal);
      onWait((clock.now() - began) / 1000);
    }
  }

  return {
    async run({ owner, signal, patienceMs }, work) {
      const end = clock.now() + patienceMs;
      let started = false;
      try {
        return await queue.run(owner, signal, async () => {
          await afterPause(signal, end);
          started = true;
          return work();
        });
      } catch (error) {
        if (started || !(error instanceof Problem)) throw error;
        const sentence = `Too many requests to the workspace ${host} are waiting. Try again later.`;
        throw new WorkspaceError("busy", sentence, { retryAfterSeconds: 2, cause: error });
      }
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
  };
}

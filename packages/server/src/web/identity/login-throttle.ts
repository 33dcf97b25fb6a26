import { hash } from "node:crypto";
import { Problem } from "../../core/errors.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

const freeFailures = 5;
const firstDelayMs = 100;
const longestDelayMs = 5000;
const forgottenAfterMs = 15 * 60_000;
/** The maximum number of waiting attempts: of a client that guesses, and of one without failures so far. */
const capacity = { slowed: 10, free: 1000 };

/** Slows down guessing: after five failures a client's attempts are serialized with growing pauses. */
export interface LoginThrottle {
  /** Runs the exchange when this client may try. `client` is an address, `name` the claimed user name. */
  attempt<T>(client: string, name: string, exchange: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface LoginAttempts {
  failures: number;
  lastFailure: number;
  readonly line: WorkQueue;
}

export interface LoginThrottleOptions {
  now(): Date;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  readonly clients?: number;
}

export function createLoginThrottle({ now, pause, clients = 10_000 }: LoginThrottleOptions): LoginThrottle {
  const known = new Map<string, LoginAttempts>();

  function attemptsOf(key: string): LoginAttempts {
    const before = known.get(key);
    if (before) return before;
    if (known.size >= clients) forgetOldest();
    const attempts: LoginAttempts = {
      failures: 0,
      lastFailure: 0,
      line: createWorkQueue({
        // Running attempts may all fail: together with the failures they stay within the free ones.
        atOnce: () => Math.max(1, freeFailures - attempts.failures),
        room: () => (attempts.failures < freeFailures ? capacity.free : capacity.slowed),
        retryAfterSeconds: () => Math.max(1, Math.ceil(delayMs(attempts) / 1000)),
      }),
    };
    known.set(key, attempts);
    return attempts;
  }

  function forgetOldest(): void {
    for (const [key, { line }] of known) {
      if (line.isEmpty()) return void known.delete(key);
    }
    throw new Problem("tooMany", "Too many attempts are waiting. Try again later.", { retryAfterSeconds: 5 });
  }

  return {
    async attempt(client, name, exchange, signal) {
      // A digest, because a claimed name may be a megabyte long.
      const key = hash("sha256", JSON.stringify([client, name]), "base64");
      const attempts = attemptsOf(key);
      try {
        return await attempts.line.run(async () => {
          if (now().getTime() - attempts.lastFailure >= forgottenAfterMs) attempts.failures = 0;
          const delay = delayMs(attempts);
          if (delay > 0) await pause(delay, signal);
          try {
            const result = await exchange();
            attempts.failures = 0;
            return result;
          } catch (error) {
            if (error instanceof Problem && error.kind === "unauthorized") {
              attempts.failures += 1;
              attempts.lastFailure = now().getTime();
              // Moves it to the newest end of the map.
              known.delete(key);
              known.set(key, attempts);
            }
            throw error;
          }
        });
      } finally {
        if (attempts.failures === 0 && attempts.line.isEmpty()) known.delete(key);
      }
    },
  };
}

function delayMs({ failures }: LoginAttempts): number {
  if (failures < freeFailures) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeFailures));
}

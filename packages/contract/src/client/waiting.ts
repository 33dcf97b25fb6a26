import { ApiError } from "./error.ts";

const firstWaitMs = 200;
const longestWaitMs = 10_000;
/** A server that asks for more patience than this gets its error told to the caller instead. */
const longestRetryAfterSeconds = 60;

/** How long to wait before attempt `failures + 1`: doubled each time, half of it left to chance. */
export function backoffMs(failures: number, random: () => number): number {
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
  return wait / 2 + (wait / 2) * random();
}

/** The wait before another attempt, or undefined where another attempt makes no sense. */
export function retryWaitMs(error: unknown, failures: number, random: () => number): number | undefined {
  if (!(error instanceof ApiError) || !isPassing(error)) return undefined;
  const wait = backoffMs(failures, random);
  const asked = error.retryAfterSeconds;
  if (asked === undefined) return wait;
  return asked > longestRetryAfterSeconds ? undefined : Math.max(asked * 1000, wait);
}

/** A timeout is not: the caller said how long to be patient. */
function isPassing({ kind, status }: ApiError): boolean {
  return kind === "network" || status === 429 || status === 502 || status === 503 || status === 504;
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

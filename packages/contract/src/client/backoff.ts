import { ApiError } from "./error.ts";

const initialBackoffMs = 200;
const maxBackoffMs = 10_000;
/** If the server asks to wait longer than this, the call fails. */
const maxRetryAfterSeconds = 60;

/** The backoff before attempt `failures + 1`: doubled each time, half of it random. */
export function backoffMs(failures: number, random: () => number): number {
  const wait = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (failures - 1));
  return wait / 2 + (wait / 2) * random();
}

/** The wait before the next attempt, or undefined if the error is permanent. */
export function retryWaitMs(error: unknown, failures: number, random: () => number): number | undefined {
  if (!(error instanceof ApiError) || !isRetryable(error)) return undefined;
  const wait = backoffMs(failures, random);
  const retryAfter = error.retryAfterSeconds;
  if (retryAfter === undefined) return wait;
  return retryAfter > maxRetryAfterSeconds ? undefined : Math.max(retryAfter * 1000, wait);
}

/** A timeout is not retried: the caller has set the limit. */
function isRetryable({ kind, status }: ApiError): boolean {
  return kind === "network" || status === 429 || status === 502 || status === 503 || status === 504;
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

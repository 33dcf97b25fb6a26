import { backoffMs } from "../../core/concurrency/backoff.ts";

const first = 1;
const most = 300;
const longestAskedMs = 3_600_000;

/**
 * How long to wait after a failed attempt: a second, twice as long each time, up to five minutes; longer where the receiver
 * asks for it, up to an hour.
 */
export function retryPauseMs(
  failures: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number,
): number {
  const asked = Math.min(askedMs(retryAfter, now), longestAskedMs);
  return Math.max(backoffMs(failures, first, most, random), asked);
}

/** `Retry-After`: seconds, or a date. */
function askedMs(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

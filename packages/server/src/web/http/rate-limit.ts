import { Problem } from "../../core/errors.ts";

/** Throws if an identity exceeds its limit. */
export type RateLimit = (identity: string) => void;

/** A token bucket per identity; a burst of one minute is allowed. Undefined without a limit. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit | undefined {
  if (perMinute === 0) return undefined;
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;

  return (identity) => {
    const time = now();
    const bucket = buckets.get(identity) ?? { left: perMinute, at: time };
    const left = Math.min(perMinute, bucket.left + (time - bucket.at) * perMs);
    if (left < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
      throw new Problem("tooMany", `Rate limit exceeded: ${perMinute} requests per minute.`, {
        retryAfterSeconds,
      });
    }
    // Identities are authenticated, so there are as many as users; full buckets are dropped anyway.
    if (buckets.size > 10_000) buckets.clear();
    buckets.set(identity, { left: left - 1, at: time });
  };
}

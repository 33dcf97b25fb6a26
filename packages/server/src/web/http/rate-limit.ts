import { Problem } from "../../core/errors.ts";

/** A bucket for each identity, refilled steadily; a minute's worth may be used at once. */
export function createRateLimit(perMinute: number, now: () => number): (identity: string) => void {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;

  return (identity) => {
    if (perMinute === 0) return;
    const time = now();
    const bucket = buckets.get(identity) ?? { left: perMinute, at: time };
    const left = Math.min(perMinute, bucket.left + (time - bucket.at) * perMs);
    if (left < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perMs / 1000));
      throw new Problem("tooMany", `More than ${perMinute} requests a minute.`, { retryAfterSeconds });
    }
    // Identities are proven callers, so their number is the number of users; still, full buckets are dropped.
    if (buckets.size > 10_000) buckets.clear();
    buckets.set(identity, { left: left - 1, at: time });
  };
}

import { Firings } from "./firings.ts";

/** A croner object takes 80 kB, so this is about 10 MB. */
const maxEntries = 128;
const cache = new Map<string, Firings>();

/**
 * The firings of a cron expression in a time zone. Building them takes 100 µs and many jobs share a schedule, so the
 * most recently used ones are cached. Throws if the expression or the time zone is invalid.
 */
export function firingsOf(cron: string, timezone: string): Firings {
  const key = `${timezone}\n${cron}`;
  const firings = cache.get(key) ?? new Firings(cron, timezone);
  // A map keeps the order in which its keys were set, so the least recently used key comes first.
  cache.delete(key);
  cache.set(key, firings);
  const [oldest] = cache.keys();
  if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
  return firings;
}

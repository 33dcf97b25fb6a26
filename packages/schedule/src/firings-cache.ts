import { Firings } from "./firings.ts";

/** A croner object takes 80 kB, so this is about 10 MB. */
const maxEntries = 128;
const cache = new Map<string, Firings>();

/**
 * The firings of a cron expression in a time zone. Building them takes 100 µs, and many jobs share a schedule, so the ones
 * used last are kept. Throws if the expression or the time zone is not valid.
 */
export function firingsOf(cron: string, timezone: string): Firings {
  const key = `${timezone}\n${cron}`;
  const firings = cache.get(key) ?? new Firings(cron, timezone);
  // A map keeps the order in which its keys were set: the least recently used one comes first.
  cache.delete(key);
  cache.set(key, firings);
  const [oldest] = cache.keys();
  if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
  return firings;
}

import type { Database } from "./database.ts";

/** Enough for what is asked again and again; about a megabyte. */
const most = 1000;

interface ReadCache<T> {
  get(id: string): T | undefined;
  set(id: string, value: T): void;
}

/**
 * What was read since the last write. In a database that nobody else writes to it is still true; any write at all
 * empties it, so there is nothing to keep in step.
 */
export function createReadCache<T>(engine: Database): ReadCache<T> {
  const kept = new Map<string, T>();
  let at = engine.written();

  function fresh(): Map<string, T> {
    if (at !== engine.written()) {
      at = engine.written();
      kept.clear();
    }
    return kept;
  }

  if (!engine.exclusive) return { get: () => undefined, set: () => {} };
  return {
    get: (id) => fresh().get(id),
    set(id, value) {
      if (fresh().size >= most) kept.clear();
      kept.set(id, value);
    },
  };
}

import type { Database } from "./database.ts";

/** Enough for frequently read rows; about a megabyte. */
const mostRows = 1000;

interface ReadCache<T> {
  get(id: string): T | undefined;
  set(id: string, value: T): void;
}

/**
 * Caches reads since the last write. It is valid only if no other process writes to the database; any write empties it,
 * so nothing has to be invalidated selectively.
 */
export function createReadCache<T>(engine: Database, most: number = mostRows): ReadCache<T> {
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

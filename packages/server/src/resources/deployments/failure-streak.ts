import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "../../core/store/store.ts";

/**
 * A statement counts this many deployments in less than a millisecond. SQLite reads on this thread, so other requests
 * get a turn between the statements.
 */
const stretch = 5_000;
const mostKept = 1_000;

/** The result of the last count in an environment. */
interface Counted {
  /** The key of the latest success. */
  readonly since: string;
  /** The key of the last failure that is counted, and their number. */
  readonly through: string;
  readonly streak: number;
  /** All failures of the environment at that time. */
  readonly failed: number;
}

/**
 * The number of failures since the latest success. It counts only failures that are new since the last call, unless the
 * number of all failures shows that others were added or deleted meanwhile: then it counts all again.
 */
export function createFailureStreak(store: Store) {
  const kept = new Map<string, Counted>();
  const failedAfter = store.prepare((db, v: { id: string; key: string; limit: number }) =>
    db
      .selectFrom(
        db
          .selectFrom("deployments")
          .select("key")
          .where("environment_id", "=", v.id)
          .where("state", "=", "failed")
          .where("key", ">", v.key)
          .orderBy("key")
          .limit(v.limit)
          .as("failed"),
      )
      .select([sql<number>`count(*)`.as("n"), sql<string | null>`max(key)`.as("key")]),
  );

  async function count(environmentId: string, after: string): Promise<{ n: number; through: string }> {
    let total = 0;
    for (let through = after; ; ) {
      const found = await store.one(failedAfter({ id: environmentId, key: through, limit: stretch }));
      const n = Number(found?.n ?? 0);
      total += n;
      through = found?.key ?? through;
      if (n < stretch) return { n: total, through };
      await turn();
    }
  }

  /** `failed`: the number of all failures of the environment. */
  return async (environmentId: string, since: string, failed: number): Promise<number> => {
    const last = kept.get(environmentId);
    const known = last?.since === since ? last : undefined;
    const added = known && (await count(environmentId, known.through));
    const isCurrent = known && added && known.failed + added.n === failed;
    const { n, through } = isCurrent
      ? { n: known.streak + added.n, through: added.through }
      : await count(environmentId, since);
    if (kept.size >= mostKept) kept.clear();
    kept.set(environmentId, { since, through, streak: n, failed });
    return n;
  };
}

import { type Commit, historyOf } from "../work/history.ts";
import type { WorkSession } from "../work/work-session.ts";

/**
 * The histories of tables during an update. Each is a job of the cluster, so it is read once, and again after the update has
 * written the table: what others write meanwhile is for the next update.
 */
export interface UpdateHistory {
  /** The newest commits of a table, the newest first; none if there is no such table. */
  of(table: string, limit: number): Promise<readonly Commit[]>;
  forget(table: string): void;
  forgetAll(): void;
}

export function createUpdateHistory(session: Pick<WorkSession, "rows">): UpdateHistory {
  const known = new Map<string, Map<number, readonly Commit[]>>();
  return {
    async of(table, limit) {
      const before = known.get(table)?.get(limit);
      if (before) return before;
      const commits = await historyOf(session, table, limit);
      known.set(table, new Map([...(known.get(table) ?? []), [limit, commits]]));
      return commits;
    },
    forget: (table) => void known.delete(table),
    forgetAll: () => known.clear(),
  };
}

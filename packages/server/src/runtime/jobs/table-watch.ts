import type { Dependencies } from "../../core/dependencies.ts";
import type { JobRows } from "./job-rows.ts";
import { lookAtTables, type TablesSeen, type TableVersion } from "./table-trigger.ts";
import type { WatchChange } from "./watch-change.ts";

/** The versions of an environment's tables, from whoever has the tables. */
export type TableVersions = (environmentId: string) => Promise<readonly TableVersion[]>;

/** The jobs that wait for tables: looked at by environment, whose versions are read once for all of them. */
export interface TableWatch {
  /** Looks at an environment, or at all that have such jobs. Answers whether a run was queued. */
  look(environmentId?: string): Promise<boolean>;
  /** Whether a change that was seen has been quiet for long enough. */
  isDue(): boolean;
}

export function createTableWatch(
  { system }: Dependencies,
  rows: JobRows,
  watching: WatchChange,
  versionsOf: TableVersions,
  mayRun: (environmentId: string) => boolean,
): TableWatch {
  /** Changes that were seen and whose time comes later, by the job that waits for it. */
  const dueAt = new Map<string, number>();

  /** On what the job remembers now; what was read before only tells that it is worth it. */
  const decide = (id: string, versions: readonly TableVersion[]) =>
    watching.decide(id, ({ definition: { trigger } }, memory, now) => {
      if (trigger.kind !== "table_update") return undefined;
      const look = lookAtTables(trigger, memory as TablesSeen, versions, now);
      return look?.dueAt === undefined ? look : undefined;
    });

  return {
    async look(environmentId) {
      const jobs = (await rows.waitingForTables()).filter(
        (job) => (environmentId ?? job.environmentId) === job.environmentId && mayRun(job.environmentId),
      );
      if (environmentId === undefined) dueAt.clear();
      let queued = false;
      for (const [environment, some] of Map.groupBy(jobs, (job) => job.environmentId)) {
        const versions = await versionsOf(environment);
        for (const { id, definition, memory } of some) {
          if (definition.trigger.kind !== "table_update") continue;
          const look = lookAtTables(definition.trigger, memory as TablesSeen, versions, system.now());
          if (look?.dueAt === undefined) dueAt.delete(id);
          else dueAt.set(id, look.dueAt);
          if (look && look.dueAt === undefined) queued = (await decide(id, versions)) || queued;
        }
      }
      return queued;
    },
    isDue() {
      const now = system.now().getTime();
      return [...dueAt.values()].some((at) => at <= now);
    },
  };
}

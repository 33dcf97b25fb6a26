import type { Parts } from "../parts.ts";
import type { JobRows } from "./job-rows.ts";
import { lookAtTables, type TablesSeen, type TableVersion } from "./tables-changed.ts";
import type { Watching } from "./watching.ts";

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
  { nature }: Parts,
  rows: JobRows,
  watching: Watching,
  versionsOf: TableVersions,
  mayRun: (environmentId: string) => boolean,
): TableWatch {
  const dueAt = new Map<string, number>();

  async function lookAt(id: string, versions: readonly TableVersion[]): Promise<boolean> {
    dueAt.delete(id);
    return watching.decide(id, ({ definition: { trigger } }, memory, now) => {
      if (trigger.kind !== "table_update") return undefined;
      const look = lookAtTables(trigger, memory as TablesSeen, versions, now);
      if (look?.dueAt === undefined) return look;
      dueAt.set(id, look.dueAt);
      return undefined;
    });
  }

  return {
    async look(environmentId) {
      const jobs = (await rows.ofTrigger("table_update")).filter(
        (job) => (environmentId ?? job.environmentId) === job.environmentId && mayRun(job.environmentId),
      );
      let queued = false;
      for (const [environment, some] of Map.groupBy(jobs, (job) => job.environmentId)) {
        const versions = await versionsOf(environment);
        for (const { id } of some) queued = (await lookAt(id, versions)) || queued;
      }
      return queued;
    },
    isDue() {
      const now = nature.now().getTime();
      return [...dueAt.values()].some((at) => at <= now);
    },
  };
}

import type { TableVersion } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import type { JobRows } from "./job-rows.ts";
import type { IsActive } from "./scheduler.ts";
import { evaluateTables, type TableTriggerMemory } from "./table-trigger.ts";
import type { WatchChange } from "./watch-change.ts";

/** Reads the versions of an environment's tables: at least those that are named. */
export type TableVersions = (
  environmentId: string,
  tables: readonly string[],
) => Promise<readonly TableVersion[]>;

/** Polls for jobs with a table trigger, by environment: versions are read once for all of its jobs. */
export interface TableWatch {
  /** Polls one environment, or all with jobs that have a table trigger. Returns whether a run was queued. */
  poll(environmentId?: string): Promise<boolean>;
  /** Whether a detected change has been quiet for long enough. */
  isDue(): boolean;
}

export function createTableWatch(
  { system }: Dependencies,
  rows: JobRows,
  changes: WatchChange,
  versionsOf: TableVersions,
  { mayRun, isActive }: { readonly mayRun: (environmentId: string) => boolean; readonly isActive: IsActive },
): TableWatch {
  /** Detected changes that are due later, by job. */
  const dueAt = new Map<string, number>();

  /** Decides on the current memory of the job; the earlier read only shows whether that is necessary. */
  const decide = (id: string, versions: readonly TableVersion[]) =>
    changes.decide(id, ({ definition: { trigger } }, memory, now) => {
      if (trigger.kind !== "table_update") return undefined;
      const evaluation = evaluateTables(trigger, memory as TableTriggerMemory, versions, now);
      return evaluation?.dueAt === undefined ? evaluation : undefined;
    });

  return {
    async poll(environmentId) {
      const jobs = (await rows.waitingForTables()).filter(
        (job) => (environmentId ?? job.environmentId) === job.environmentId && mayRun(job.environmentId),
      );
      if (environmentId === undefined) dueAt.clear();
      let queued = false;
      for (const [environment, some] of Map.groupBy(jobs, (job) => job.environmentId)) {
        if (!(await isActive(environment))) continue;
        const tables = some.flatMap(({ definition: { trigger } }) =>
          trigger.kind === "table_update" ? trigger.tables : [],
        );
        const versions = await versionsOf(environment, [...new Set(tables)]);
        for (const { id, definition, memory } of some) {
          if (definition.trigger.kind !== "table_update") continue;
          const evaluation = evaluateTables(
            definition.trigger,
            memory as TableTriggerMemory,
            versions,
            system.now(),
          );
          if (evaluation?.dueAt === undefined) dueAt.delete(id);
          else dueAt.set(id, evaluation.dueAt);
          if (evaluation && evaluation.dueAt === undefined) queued = (await decide(id, versions)) || queued;
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

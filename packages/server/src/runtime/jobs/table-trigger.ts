import type { JobTrigger } from "@lakehelm/contract";
import type { TableVersion } from "@lakehelm/engine";
import type { TriggeredRun } from "./due-job.ts";

export type TableUpdateTrigger = Extract<JobTrigger, { kind: "table_update" }>;

/** `tables`: the versions at the last run. `since`: when the job was created, until the first poll. */
export interface TableTriggerMemory {
  readonly since?: string;
  readonly tables?: Readonly<Record<string, number>>;
  readonly fired_at?: string;
}

export interface TableEvaluation {
  readonly memory: TableTriggerMemory;
  readonly fired?: TriggeredRun;
  /** Something has changed, but a run is due only later. */
  readonly dueAt?: number;
}

/** What table versions mean for a job with a table trigger; undefined: nothing. */
export function evaluateTables(
  { tables, condition, quiet_seconds, minimum_seconds }: TableUpdateTrigger,
  { tables: remembered, fired_at, since }: TableTriggerMemory,
  versions: readonly TableVersion[],
  now: Date,
): TableEvaluation | undefined {
  const known = new Map(versions.map((table) => [table.name.toLowerCase(), table]));
  const current = Object.fromEntries(
    tables.map((name) => [name, known.get(name.toLowerCase())?.version ?? 0]),
  );
  // Changes before the job was created do not count; changes between that and the first poll do.
  const wasBefore = (name: string) =>
    since === undefined || Date.parse(known.get(name.toLowerCase())?.at ?? since) <= Date.parse(since);
  const before =
    remembered ??
    Object.fromEntries(tables.map((name) => [name, wasBefore(name) ? (current[name] ?? 0) : 0]));
  const changed = tables.filter((name) => current[name] !== (before[name] ?? 0));
  if (changed.length === 0 || (condition === "all" && changed.length < tables.length)) {
    return remembered ? undefined : { memory: { tables: before } };
  }

  // A time in the future comes from a clock that was ahead, and is ignored.
  const pastTimes = (times: readonly (string | undefined)[]) =>
    times.map((at) => Date.parse(at ?? "")).filter((at) => at <= now.getTime());
  const changes = pastTimes(changed.map((name) => known.get(name.toLowerCase())?.at));
  const lastChange = Math.max(...changes, Number.NEGATIVE_INFINITY);
  const lastRun = Math.max(...pastTimes([fired_at]), Number.NEGATIVE_INFINITY);
  const dueAt = Math.max(lastChange + quiet_seconds * 1000, lastRun + minimum_seconds * 1000);
  if (dueAt > now.getTime()) return { memory: { tables: before }, dueAt };
  const time = now.toISOString();
  return {
    memory: { tables: current, fired_at: time },
    fired: {
      slot: `tables/${time}`,
      cause: { trigger: "table_update", by: null, time, tables: changed },
    },
  };
}

import type { Job, TableFreshness } from "@lakehelm/contract";
import type { TableVersion } from "@lakehelm/engine";
import { firingsOf } from "@lakehelm/schedule";

/** Runs need a while after their scheduled time. */
const graceMs = 5 * 60_000;

/** How fresh the tables are that the jobs of an environment write. If two jobs write a table, the first counts. */
export function tableStates(
  written: readonly { readonly table: string; readonly jobId: string }[],
  jobs: ReadonlyMap<string, Job>,
  versions: readonly TableVersion[],
  now: Date,
): TableFreshness[] {
  const changed = new Map(versions.map(({ name, at }) => [name.toLowerCase(), at]));
  const states = new Map<string, TableFreshness>();
  /** Cached, because many tables of a job are due at the same time, whose computation takes longer than all else. */
  const due = new Map<string, string | null>();
  for (const { table, jobId } of written) {
    const job = jobs.get(jobId);
    if (!job || states.has(table)) continue;
    const changed_at = changed.get(table) ?? null;
    // While a job is paused, its tables are never due.
    const due_at = job.paused
      ? null
      : due.getOrInsertComputed(`${jobId} ${changed_at}`, () => dueAt(job, changed_at));
    states.set(table, {
      environment_id: job.environment_id,
      name: table,
      changed_at,
      job_id: job.id,
      job_kind: job.kind,
      job_name: job.name,
      due_at,
      is_late: job.failures > 0 || (due_at !== null && now.getTime() - Date.parse(due_at) > graceMs),
    });
  }
  return [...states.values()];
}

/** A run that succeeds without new rows leaves the table as it is, and up to date. */
function dueAt({ definition: { trigger }, last_run, created_at }: Job, changedAt: string | null) {
  if (trigger.kind !== "cron") return null;
  const succeeded = last_run?.status === "succeeded" ? last_run.ended_at : null;
  const current = [changedAt, succeeded, created_at].flatMap((at) => (at ? [Date.parse(at)] : []));
  try {
    const [due] = firingsOf(trigger.cron, trigger.timezone).next(Math.max(...current), 1);
    return due === undefined ? null : new Date(due).toISOString();
  } catch {
    // The job says itself that its schedule does not work.
    return null;
  }
}

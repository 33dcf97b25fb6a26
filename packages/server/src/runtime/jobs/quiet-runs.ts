import type { Run, RunCause } from "@lakehelm/contract";
import type { Step } from "../../core/store/store.ts";
import type { StoredJob } from "./job-rows.ts";
import type { RunRows } from "./run-rows.ts";

/** The record of a run that moved nothing, and whether it continues the record of the run before. */
interface QuietRun {
  readonly quiet: NonNullable<Run["quiet"]>;
  readonly isRepeated: boolean;
  /** Steps that remove the record of the run before: the new one stands for both. */
  readonly steps: Step[];
}

const written = ["rows_inserted", "rows_updated", "rows_deleted"];
/** The metrics that are 0 after a quiet run, by kind of job. Runs of other kinds are never quiet. */
const moved: Readonly<Partial<Record<StoredJob["kind"], readonly string[]>>> = {
  connector: [...written, "rows_rejected"],
  flow: written,
};

const triggers: ReadonlySet<RunCause["trigger"]> = new Set(["live", "cron", "table_update", "file_arrival"]);
/** Nobody asked for the run, and it makes up for no missed ones. */
const isRoutine = ({ trigger, catch_up }: RunCause): boolean => triggers.has(trigger) && !catch_up;

/**
 * A job that is triggered without having anything to do repeats the same record and the same events. Such runs have one
 * record together, and the first of them the only events. Undefined if the run moved rows, has a warning, was retried,
 * ends a series of failures, or if each success is notified.
 */
export async function quietRun(
  rows: Pick<RunRows, "quietBefore" | "removeQuiet">,
  run: Run,
  { kind, failures, definition: { notify } }: Pick<StoredJob, "kind" | "failures" | "definition">,
  { metrics, error }: Pick<Run, "metrics" | "error">,
): Promise<QuietRun | undefined> {
  if (!isRoutine(run.cause) || run.attempt > 1 || failures > 0 || error !== null) return undefined;
  if ((notify?.on_success ?? []).length > 0) return undefined;
  if (!moved[kind]?.every((counter) => metrics[counter] === 0)) return undefined;
  const before = await rows.quietBefore(run);
  if (!before) return { quiet: { runs: 1, since: run.queued_at }, isRepeated: false, steps: [] };
  const { runs, since } = before.quiet;
  return {
    quiet: { runs: runs + 1, since },
    isRepeated: true,
    steps: [rows.removeQuiet({ id: before.id })],
  };
}

/** Jobs whose last run on this server was quiet: the next one is queued and started without an event. */
export interface QuietJobs {
  /** Whether a new run is queued without an event; remembers such a run. */
  queue(run: { readonly id: string; readonly jobId: string }, cause: RunCause): boolean;
  /** Whether this run was queued without an event. */
  isSilent(run: Pick<Run, "id" | "job_id">): boolean;
  ended(run: Pick<Run, "id" | "job_id">, isQuiet: boolean): void;
}

export function createQuietJobs(): QuietJobs {
  /** By job: the run that was queued without an event, if one is open. */
  const quiet = new Map<string, string | undefined>();
  return {
    queue({ id, jobId }, cause) {
      if (!isRoutine(cause) || !quiet.has(jobId)) return false;
      quiet.set(jobId, id);
      return true;
    },
    isSilent: ({ id, job_id }) => quiet.get(job_id) === id,
    ended({ job_id }, isQuiet) {
      if (isQuiet) quiet.set(job_id, undefined);
      else quiet.delete(job_id);
    },
  };
}

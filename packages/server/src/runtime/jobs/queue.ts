import type { Run, RunCause } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { keyOf } from "../../core/store/collection.ts";
import type { DomainEvent, Step } from "../../core/store/store.ts";
import type { TriggeredRun } from "./due-job.ts";
import type { StoredJob } from "./job-rows.ts";
import type { QuietJobs } from "./quiet-runs.ts";
import type { NewRun, RunRows } from "./run-rows.ts";

/** A new run with the steps and events that write it. */
export interface Queued {
  readonly run: NewRun;
  readonly steps: Step[];
  readonly events: DomainEvent[];
}

export type Queue = ReturnType<typeof createQueue>;

/** Turns a triggered run into a queued or skipped one. */
export function createQueue(
  { system }: Pick<Dependencies, "system">,
  rows: RunRows,
  quietJobs: Pick<QuietJobs, "queue">,
) {
  return {
    put(
      {
        id: jobId,
        environmentId,
        kind,
        name,
        installedBy,
      }: Pick<StoredJob, "id" | "environmentId" | "kind" | "name" | "installedBy">,
      fired: TriggeredRun,
      time: string,
    ): Queued {
      const { cause, skipped } = fired;
      const id = system.newId();
      const slot = fired.slot ?? `${cause.trigger}/${id}`;
      const status = skipped === undefined ? "queued" : "skipped";
      const error = skipped ?? null;
      const caller = cause.by === null ? installedBy : keyOf(cause.by);
      const run: NewRun = { id, jobId, environmentId, slot, status, cause, error, caller, kind, name };
      const { trigger, by, catch_up } = cause;
      // A retry of a catch-up run reports no missed slots again.
      const missed = trigger === "cron" && catch_up;
      const about = { ...run, job_id: jobId, environment_id: environmentId };
      return {
        run,
        steps: [rows.insert(run, time)],
        events: [
          ...(missed
            ? [
                {
                  kind: "job.missed",
                  subject: `job/${jobId}`,
                  data: { name, environment_id: environmentId, ...missed },
                },
              ]
            : []),
          ...(status === "queued" && (isContinuous(cause) || quietJobs.queue(run, cause))
            ? []
            : [runEvent(about, `run.${status}`, { trigger, by, ...(skipped && { reason: skipped }) })]),
        ],
      };
    },
  };
}

/** Live runs follow each other without end: the log has their ends, but not their queueing and start. */
export const isContinuous = ({ trigger }: RunCause): boolean => trigger === "live";

/** The event names what the run is about, because the job and the run may be gone when the event is read. */
export function runEvent(
  run: Pick<Run, "id" | "job_id" | "environment_id" | "kind" | "name">,
  event: `run.${Run["status"] | "started" | "retried"}`,
  data: Readonly<Record<string, unknown>> = {},
): DomainEvent {
  const { id, job_id, environment_id, kind, name } = run;
  return { kind: event, subject: `run/${id}`, data: { job_id, kind, name, environment_id, ...data } };
}

import type { Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { keyOf } from "../../core/store/collection.ts";
import type { DomainEvent, Step } from "../../core/store/store.ts";
import type { TriggeredRun } from "./due-job.ts";
import type { StoredJob } from "./job-rows.ts";
import type { NewRun, RunRows } from "./run-rows.ts";

/** A new run with the steps and events that write it. */
export interface Queued {
  readonly run: NewRun;
  readonly steps: Step[];
  readonly events: DomainEvent[];
}

export type Queue = ReturnType<typeof createQueue>;

/** Turns a triggered run into a queued or skipped one. */
export function createQueue({ system }: Pick<Dependencies, "system">, rows: RunRows) {
  return {
    put(
      {
        id: jobId,
        environmentId,
        name,
        installedBy,
      }: Pick<StoredJob, "id" | "environmentId" | "name" | "installedBy">,
      fired: TriggeredRun,
      time: string,
    ): Queued {
      const { cause, skipped } = fired;
      const id = system.newId();
      const slot = fired.slot ?? `${cause.trigger}/${id}`;
      const status = skipped === undefined ? "queued" : "skipped";
      const error = skipped ?? null;
      const caller = cause.by === null ? installedBy : keyOf(cause.by);
      const run: NewRun = { id, jobId, environmentId, slot, status, cause, error, caller };
      const { trigger, by, catch_up } = cause;
      // A retry of a catch-up run reports no missed slots again.
      const missed = trigger === "cron" && catch_up;
      return {
        run,
        steps: [rows.insert(run, time)],
        events: [
          ...(missed ? [{ kind: "job.missed", subject: `job/${jobId}`, data: { name, ...missed } }] : []),
          runEvent(run, `run.${status}`, { name, trigger, by, ...(skipped && { reason: skipped }) }),
        ],
      };
    },
  };
}

export function runEvent(
  { id, jobId }: Pick<NewRun, "id" | "jobId">,
  kind: `run.${Run["status"] | "started" | "retried"}`,
  data: Readonly<Record<string, unknown>> = {},
): DomainEvent {
  return { kind, subject: `run/${id}`, data: { job_id: jobId, ...data } };
}

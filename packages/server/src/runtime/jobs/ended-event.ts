import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { DomainEvent } from "../../core/store/store.ts";
import type { StoredJob } from "./job-rows.ts";
import { runEvent } from "./queue.ts";

/** An event is kept for good: metrics that are longer are read from the run. */
const longestMetrics = 16 * 1024;

/**
 * How a run has ended, for those who follow the log and know nothing of the job: whose it is, where, whether a success
 * ends a row of failures, and which channels its definition names.
 */
export function endedEvent(
  { id, job_id }: Pick<Run, "id" | "job_id">,
  job: StoredJob | undefined,
  to: "succeeded" | "failed" | "cancelled",
  { metrics, ...more }: { readonly metrics?: Run["metrics"] } & Readonly<Record<string, unknown>> = {},
): DomainEvent {
  const fits = metrics !== undefined && encodeJson(metrics).length <= longestMetrics;
  return runEvent({ id, jobId: job_id }, `run.${to}`, {
    ...(job && aboutJob(job, to)),
    ...more,
    ...(fits && { metrics }),
  });
}

function aboutJob({ name, kind, subject, environmentId, definition, failures }: StoredJob, to: string) {
  const { notify } = definition;
  return {
    name,
    kind,
    subject,
    environment_id: environmentId,
    ...(to === "failed" && { failures: failures + 1 }),
    // How many runs before it had failed in a row.
    ...(to === "succeeded" && failures > 0 && { recovered: failures }),
    ...(notify && { notify }),
  };
}

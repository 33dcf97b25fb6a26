import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { DomainEvent } from "../../core/store/store.ts";
import type { StoredJob } from "./job-rows.ts";
import { runEvent } from "./queue.ts";

/** Events are kept for long: longer metrics are only in the run. */
const longestMetrics = 16 * 1024;

/**
 * How a run ended, for readers of the event log that do not know the job: its owner and environment, whether a success
 * ends a series of failures, and the channels that its definition names.
 */
export function endedEvent(
  run: Parameters<typeof runEvent>[0],
  job: StoredJob | undefined,
  to: "succeeded" | "failed" | "cancelled",
  { metrics, ...more }: { readonly metrics?: Run["metrics"] } & Readonly<Record<string, unknown>> = {},
): DomainEvent {
  const fits = metrics !== undefined && encodeJson(metrics).length <= longestMetrics;
  return runEvent(run, `run.${to}`, {
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
    // The number of consecutive failures before this success.
    ...(to === "succeeded" && failures > 0 && { recovered: failures }),
    ...(notify && { notify }),
  };
}

import type { Run } from "@lakehelm/contract";
import { spanOfRun } from "../../core/tracing/trace-context.ts";
import type { Tracer } from "../../core/tracing/tracer.ts";
import { messageOf } from "./attempt-outcome.ts";
import type { Executor } from "./executor.ts";
import type { StoredJob } from "./job-rows.ts";

/** Records each attempt at a run; everything that it does belongs to its span. */
export const traceAttempts = (execute: Executor["execute"], tracer: Tracer): Executor["execute"] =>
  async function traced(run, job, control) {
    const { traceId, spanId: parentId } = spanOfRun(run);
    if (!tracer.isSampled(traceId)) return execute(run, job, control);
    const span = tracer.start({
      name: `attempt ${run.attempt}`,
      kind: "internal",
      traceId,
      parentId,
      attributes: { "lakehelm.attempt": run.attempt },
    });
    try {
      const result = await tracer.within(span, () => execute(run, job, control));
      span.end();
      return result;
    } catch (error) {
      span.end({ error: messageOf(error) });
      throw error;
    }
  };

/** Records a run that has ended, from the time that it was queued. */
export function traceRun(
  tracer: Tracer,
  run: Run,
  job: Pick<StoredJob, "name" | "kind">,
  { outcome, error, at }: { readonly outcome: string; readonly error: string | null; readonly at: Date },
): void {
  const { traceId, spanId, parentId } = spanOfRun(run);
  if (!tracer.isSampled(traceId)) return;
  const rows = Object.entries(run.metrics).filter(
    (entry): entry is [string, number] => entry[0].startsWith("rows_") && typeof entry[1] === "number",
  );
  const span = tracer.start({
    name: `run ${job.kind} ${job.name}`,
    kind: "internal",
    traceId,
    spanId,
    parentId,
    started: Date.parse(run.queued_at),
    attributes: {
      "lakehelm.run.id": run.id,
      "lakehelm.job.id": run.job_id,
      "lakehelm.environment.id": run.environment_id,
      "lakehelm.run.trigger": run.cause.trigger,
      "lakehelm.run.outcome": outcome,
      ...Object.fromEntries(rows.map(([name, count]) => [`lakehelm.${name}`, count])),
    },
  });
  if (run.started_at !== null) span.event("started", Date.parse(run.started_at));
  span.end({ at: at.getTime(), error: outcome === "succeeded" ? undefined : (error ?? outcome) });
}

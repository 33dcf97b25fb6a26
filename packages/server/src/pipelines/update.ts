import type { PipelineUpdate, Run, UpdatedTable } from "@lakehelm/contract";
import { shownAsked } from "./asked.ts";

/** An update is a run of the pipeline's job, told in the words that Databricks has for it. */
export function updateOf(pipelineId: string, run: Run): PipelineUpdate {
  const { id, status, cause, attempt, queued_at, started_at, ended_at, error } = run;
  const { tables, ...sums } = metricsIn(run);
  return {
    update_id: id,
    pipeline_id: pipelineId,
    state: stateOf(status),
    cause: cause.trigger,
    requested_by: cause.by,
    reason: cause.reason ?? null,
    ...shownAsked(cause),
    attempt,
    creation_time: queued_at,
    start_time: started_at,
    end_time: ended_at,
    ...sums,
    seconds: started_at && ended_at ? (Date.parse(ended_at) - Date.parse(started_at)) / 1000 : sums.seconds,
    tables: [...tables],
    error,
  };
}

/** The same in short, as it stands in `latest_updates`. */
export function headOf(
  run: Pick<Run, "id" | "status" | "cause" | "queued_at" | "started_at" | "ended_at" | "error">,
) {
  const { full_refresh, validate_only } = shownAsked(run.cause);
  return {
    update_id: run.id,
    state: stateOf(run.status),
    cause: run.cause.trigger,
    full_refresh,
    validate_only,
    creation_time: run.queued_at,
    start_time: run.started_at,
    end_time: run.ended_at,
    error: run.error,
  };
}

const states = {
  queued: "QUEUED",
  running: "RUNNING",
  succeeded: "COMPLETED",
  failed: "FAILED",
  cancelled: "CANCELED",
  skipped: "CANCELED",
} as const satisfies Record<Run["status"], PipelineUpdate["state"]>;

const stateOf = (status: Run["status"]): PipelineUpdate["state"] => states[status];

/** What an update counts: the metrics of its run. */
export interface UpdateMetrics {
  readonly tables: readonly UpdatedTable[];
  readonly rows_added: number;
  readonly rows_updated: number;
  readonly rows_removed: number;
  readonly rows_dropped: number;
  readonly seconds: number;
}

export function metricsOf(tables: readonly UpdatedTable[], seconds: number): UpdateMetrics {
  const sum = (key: "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped") =>
    tables.reduce((total, table) => total + table[key], 0);
  return {
    rows_added: sum("rows_added"),
    rows_updated: sum("rows_updated"),
    rows_removed: sum("rows_removed"),
    rows_dropped: sum("rows_dropped"),
    seconds,
    tables,
  };
}

/** Only the pipeline's own work writes the metrics of its runs: nobody has, or all of them are there. */
export const metricsIn = ({ metrics }: Pick<Run, "metrics">): UpdateMetrics =>
  "tables" in metrics ? (metrics as unknown as UpdateMetrics) : metricsOf([], 0);

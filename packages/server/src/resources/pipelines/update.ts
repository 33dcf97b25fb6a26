import type { PipelineUpdate, Run, UpdatedTable } from "@lakehelm/contract";
import { validOptions } from "./update-request.ts";

/** An update is a run of the pipeline's job, in Databricks' terms. */
export function updateOf(pipelineId: string, run: Run): PipelineUpdate {
  const { id, status, cause, attempt, queued_at, started_at, ended_at, error } = run;
  const { tables, rows_added, rows_updated, rows_removed, rows_dropped, seconds } = metricsIn(run);
  return {
    update_id: id,
    pipeline_id: pipelineId,
    state: stateOf(status),
    cause: cause.trigger,
    requested_by: cause.by,
    reason: cause.reason ?? null,
    ...validOptions(cause),
    attempt,
    creation_time: queued_at,
    start_time: started_at,
    end_time: ended_at,
    rows_added,
    rows_updated,
    rows_removed,
    rows_dropped,
    seconds: started_at && ended_at ? (Date.parse(ended_at) - Date.parse(started_at)) / 1000 : seconds,
    tables: tables.map((table) => shownTable(table, run)),
    error,
  };
}

/** The run reports tables while it executes; after its end, no table is running. */
function shownTable(table: UpdatedTable, { status, ended_at }: Run): UpdatedTable {
  const isOpen = table.state === "waiting" || table.state === "running";
  if (!isOpen || status === "running") return table;
  if (status === "queued") return { ...table, state: "waiting", start_time: null };
  const how = status === "failed" ? "failed" : "was stopped";
  const error = `The update ${how} before ${table.name} was done.`;
  return { ...table, state: "skipped", error, end_time: ended_at };
}

/** The short form for `latest_updates`. */
export function updateSummary(
  run: Pick<Run, "id" | "status" | "cause" | "queued_at" | "started_at" | "ended_at" | "error">,
) {
  const { full_refresh, validate_only } = validOptions(run.cause);
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

/** Several statuses of a run are one state of an update. */
export const statusesOf = (state: PipelineUpdate["state"]): Run["status"][] =>
  (Object.keys(states) as Run["status"][]).filter((status) => states[status] === state);

/** The metrics of an update's run. */
export interface UpdateMetrics {
  readonly tables: readonly UpdatedTable[];
  readonly rows_added: number;
  readonly rows_updated: number;
  readonly rows_removed: number;
  readonly rows_dropped: number;
  readonly seconds: number;
  readonly again: readonly RepeatedAttempt[];
}

/** A repeated attempt: a server or the engine was lost, or the error was retryable. */
export interface RepeatedAttempt {
  readonly attempt: number;
  readonly time: string;
  /** Null: the server was shut down gracefully. */
  readonly reason: string | null;
  /** The tables that the previous attempt had reported. */
  readonly tables: readonly UpdatedTable[];
}

/** The tables that no earlier attempt has reported. Completed tables stay in the list of every attempt. */
export function notReportedBy(
  again: readonly RepeatedAttempt[],
  tables: readonly UpdatedTable[],
): UpdatedTable[] {
  const key = ({ name, end_time }: UpdatedTable) => `${end_time} ${name}`;
  const reported = new Set(
    again.flatMap((one) => one.tables.filter(({ end_time }) => end_time !== null).map(key)),
  );
  return tables.filter((table) => !reported.has(key(table)));
}

export function metricsOf(
  tables: readonly UpdatedTable[],
  seconds: number,
  again: readonly RepeatedAttempt[],
): UpdateMetrics {
  const sum = (key: "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped") =>
    tables.reduce((total, table) => total + table[key], 0);
  return {
    rows_added: sum("rows_added"),
    rows_updated: sum("rows_updated"),
    rows_removed: sum("rows_removed"),
    rows_dropped: sum("rows_dropped"),
    seconds,
    tables,
    again,
  };
}

/** Only the pipeline's executor writes the metrics of its runs: either none are set or all are. */
export function metricsIn({ metrics }: Pick<Run, "metrics">): UpdateMetrics {
  return { ...metricsOf([], 0, []), ...(metrics as Partial<UpdateMetrics>) };
}

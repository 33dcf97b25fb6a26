import type { PipelineUpdate, Run, UpdatedTable } from "@lakehelm/contract";
import { shownAsked } from "./update-request.ts";

/** An update is a run of the pipeline's job, told in the words that Databricks has for it. */
export function updateOf(pipelineId: string, run: Run): PipelineUpdate {
  const { id, status, cause, attempt, queued_at, started_at, ended_at, error } = run;
  const { tables, again: _, ...sums } = metricsIn(run);
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
    tables: tables.map((table) => shownTable(table, run)),
    error,
  };
}

/** Its work tells of a table while it goes on; where that has ended, nothing runs any more. */
function shownTable(table: UpdatedTable, { status, ended_at }: Run): UpdatedTable {
  const isOpen = table.state === "waiting" || table.state === "running";
  if (!isOpen || status === "running") return table;
  if (status === "queued") return { ...table, state: "waiting", start_time: null };
  const how = status === "failed" ? "failed" : "was stopped";
  const error = `The update ${how} before ${table.name} was done.`;
  return { ...table, state: "skipped", error, end_time: ended_at };
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
  readonly again: readonly Again[];
}

/** Its work began again: a server or the engine was lost, or what was wrong might pass. */
export interface Again {
  readonly attempt: number;
  readonly time: string;
  /** Null: a server was stopped in good order. */
  readonly reason: string | null;
  /** What the attempt before had told of its tables. */
  readonly tables: readonly UpdatedTable[];
}

/** What is done stays in the list of tables; of those, the ones that no earlier attempt has told. */
export function notToldBy(again: readonly Again[], tables: readonly UpdatedTable[]): UpdatedTable[] {
  const key = ({ name, end_time }: UpdatedTable) => `${end_time} ${name}`;
  const told = new Set(
    again.flatMap((one) => one.tables.filter(({ end_time }) => end_time !== null).map(key)),
  );
  return tables.filter((table) => !told.has(key(table)));
}

export function metricsOf(
  tables: readonly UpdatedTable[],
  seconds: number,
  again: readonly Again[],
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

/** Only the pipeline's own work writes the metrics of its runs: nobody has, or all of them are there. */
export function metricsIn({ metrics }: Pick<Run, "metrics">): UpdateMetrics {
  if (!("tables" in metrics)) return metricsOf([], 0, []);
  const found = metrics as unknown as Omit<UpdateMetrics, "again"> & { readonly again?: readonly Again[] };
  return { ...found, again: found.again ?? [] };
}

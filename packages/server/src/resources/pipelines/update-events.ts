import type { PipelineEvent, PipelineUpdate, UpdatedTable } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import { notReportedBy, type RepeatedAttempt } from "./update.ts";

type UpdateEvent = Omit<PipelineEvent, "id" | "update_id">;

/**
 * The events of an update, in order, derived from the update itself. While it runs, events are only appended, so an
 * event keeps its id.
 */
export function eventsOf(update: PipelineUpdate, again: readonly RepeatedAttempt[]): PipelineEvent[] {
  const { update_id, creation_time, start_time, end_time, tables } = update;
  const queued = updateEvent(update, creation_time, "QUEUED", requestMessage(update));
  const started =
    start_time === null ? [] : [updateEvent(update, start_time, "RUNNING", "The update started.")];
  const ended = end_time === null ? [] : [updateEvent(update, end_time, update.state, endMessage(update))];
  const ofTables = orderedTableEvents(notReportedBy(again, tables));
  return [queued, ...started, ...again.flatMap(attemptEvents), ...ofTables, ...ended].map((event, n) => ({
    id: `${update_id}/${n}`,
    update_id,
    ...event,
  }));
}

function updateEvent(update: PipelineUpdate, time: string, state: string, message: string): UpdateEvent {
  const { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error } = update;
  const { full_refresh, full_refresh_selection, refresh_selection, validate_only } = update;
  const options = { full_refresh, full_refresh_selection, refresh_selection, validate_only };
  const counted = { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error };
  const details = state === "QUEUED" ? options : state === "RUNNING" ? {} : counted;
  return { time, kind: "update", table: null, state, message, details };
}

/** Keeps the events that the previous attempt reported. */
function attemptEvents({ attempt, time, reason, tables }: RepeatedAttempt): UpdateEvent[] {
  const message =
    reason === null
      ? "The update continues after a shutdown of the server."
      : `Attempt ${attempt} started. ${reason}`;
  const details = { attempt, reason };
  return [
    ...orderedTableEvents(tables),
    { time, kind: "update", table: null, state: "RUNNING", message, details },
  ];
}

const orderedTableEvents = (tables: readonly UpdatedTable[]): UpdateEvent[] =>
  tables.flatMap(tableEvents).sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));

function tableEvents(table: UpdatedTable): UpdateEvent[] {
  const { name, state, start_time, end_time, expectations } = table;
  const { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error } = table;
  const shared = { kind: "table", table: name } as const;
  const started =
    start_time === null
      ? []
      : [{ ...shared, time: start_time, state: "running", message: `${name} started.`, details: {} }];
  if (end_time === null) return started;
  const details = { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error };
  return [
    ...started,
    { ...shared, time: end_time, state, message: tableEndMessage(table), details },
    ...expectations.map((expectation) => ({
      kind: "expectation" as const,
      table: name,
      time: end_time,
      state: null,
      message: `${name}: ${expectation.name} passed for ${counted(expectation.passed, "row")} and failed for ${expectation.failed}.`,
      details: { ...expectation },
    })),
  ];
}

function requestMessage({ requested_by, reason, validate_only }: PipelineUpdate): string {
  const what = validate_only ? "The validation" : "The update";
  const who = requested_by === null ? "" : ` by ${requested_by}`;
  return `${what} was requested${who}${reason === null ? "." : `: ${reason}`}`;
}

function endMessage({ state, error, ...update }: PipelineUpdate): string {
  if (state === "FAILED") return `The update failed: ${error ?? ""}`;
  if (state === "CANCELED") return "The update was stopped.";
  return `The update completed: ${rowCounts(update)}.`;
}

function tableEndMessage({ name, state, error, ...table }: UpdatedTable): string {
  if (state === "failed") return `${name} failed: ${error ?? ""}`;
  if (state === "skipped") return `${name} was skipped: ${error ?? ""}`;
  return `${name}: ${rowCounts(table)}.`;
}

type RowCounts = Pick<UpdatedTable, "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped">;

const rowCounts = ({ rows_added, rows_updated, rows_removed, rows_dropped }: RowCounts): string =>
  `${rows_added} ${rows_added === 1 ? "row" : "rows"} added, ${rows_updated} updated, ${rows_removed} removed, ${rows_dropped} dropped`;

import type { PipelineEvent, PipelineUpdate, UpdatedTable } from "@lakehelm/contract";
import { type Again, notToldBy } from "./update.ts";

type Happened = Omit<PipelineEvent, "id" | "update_id">;

/**
 * The events of an update, in order, derived from the update itself. While it runs, events are only appended, so an
 * event keeps its id.
 */
export function eventsOf(update: PipelineUpdate, again: readonly Again[]): PipelineEvent[] {
  const { update_id, creation_time, start_time, end_time, tables } = update;
  const queued = ofUpdate(update, creation_time, "QUEUED", askedBy(update));
  const started = start_time === null ? [] : [ofUpdate(update, start_time, "RUNNING", "The update started.")];
  const ended = end_time === null ? [] : [ofUpdate(update, end_time, update.state, endOf(update))];
  const ofTables = inOrder(notToldBy(again, tables));
  return [queued, ...started, ...again.flatMap(ofAttempt), ...ofTables, ...ended].map((event, n) => ({
    id: `${update_id}/${n}`,
    update_id,
    ...event,
  }));
}

function ofUpdate(update: PipelineUpdate, time: string, state: string, message: string): Happened {
  const { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error } = update;
  const { full_refresh, full_refresh_selection, refresh_selection, validate_only } = update;
  const asked = { full_refresh, full_refresh_selection, refresh_selection, validate_only };
  const counted = { rows_added, rows_updated, rows_removed, rows_dropped, seconds, error };
  const details = state === "QUEUED" ? asked : state === "RUNNING" ? {} : counted;
  return { time, kind: "update", table: null, state, message, details };
}

/** Keeps the events that the previous attempt reported. */
function ofAttempt({ attempt, time, reason, tables }: Again): Happened[] {
  const message =
    reason === null
      ? "The update goes on: the server that worked on it was stopped."
      : `Attempt ${attempt} started. ${reason}`;
  const details = { attempt, reason };
  return [...inOrder(tables), { time, kind: "update", table: null, state: "RUNNING", message, details }];
}

const inOrder = (tables: readonly UpdatedTable[]): Happened[] =>
  tables.flatMap(ofTable).sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));

function ofTable(table: UpdatedTable): Happened[] {
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
    { ...shared, time: end_time, state, message: endOfTable(table), details },
    ...expectations.map((expectation) => ({
      kind: "expectation" as const,
      table: name,
      time: end_time,
      state: null,
      message: `${name}: ${expectation.name} held for ${expectation.passed} rows, and not for ${expectation.failed}.`,
      details: { ...expectation },
    })),
  ];
}

function askedBy({ requested_by, reason, validate_only }: PipelineUpdate): string {
  const what = validate_only ? "The validation" : "The update";
  const who = requested_by === null ? "" : ` by ${requested_by}`;
  return `${what} was asked for${who}${reason === null ? "." : `: ${reason}`}`;
}

function endOf({ state, error, ...update }: PipelineUpdate): string {
  if (state === "FAILED") return `The update failed: ${error ?? ""}`;
  if (state === "CANCELED") return "The update was stopped.";
  return `The update completed: ${counted(update)}.`;
}

function endOfTable({ name, state, error, ...table }: UpdatedTable): string {
  if (state === "failed") return `${name} failed: ${error ?? ""}`;
  if (state === "skipped") return `${name} was skipped: ${error ?? ""}`;
  return `${name}: ${counted(table)}.`;
}

type Counted = Pick<UpdatedTable, "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped">;

const counted = ({ rows_added, rows_updated, rows_removed, rows_dropped }: Counted): string =>
  `${rows_added} rows added, ${rows_updated} updated, ${rows_removed} removed, ${rows_dropped} dropped`;

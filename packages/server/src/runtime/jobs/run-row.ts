import type { Run, RunCause } from "@lakehelm/contract";
import type { Tables } from "../../core/store/tables.ts";
import { parsed } from "./job-rows.ts";

export type RunRow = Omit<Tables["runs"], "slot" | "open_job" | "holds" | "heartbeat_until">;

export const runColumns = [
  "runs.id",
  "runs.job_id",
  "runs.environment_id",
  "runs.status",
  "runs.cause",
  "runs.attempt",
  "runs.queued_at",
  "runs.not_before",
  "runs.started_at",
  "runs.ended_at",
  "runs.error",
  "runs.metrics",
  "runs.owner",
  "runs.cancel",
  "runs.caller",
  "runs.kind",
  "runs.name",
  "runs.quiet",
] as const;

/** A run and the server that executes it. */
export interface StoredRun {
  readonly run: Run;
  readonly owner: string | null;
  /** Who the run counts for when callers share the slots; empty for a run older than this column. */
  readonly caller: string;
}

export function runOf(stored: RunRow): StoredRun {
  const { owner, cancel, cause, metrics, status, caller, kind, name, quiet, ...row } = stored;
  const run: Run = {
    ...row,
    kind: kind as Run["kind"],
    name: name === null ? null : (parsed(name) as string),
    status: status as Run["status"],
    cause: parsed(cause) as RunCause,
    metrics: parsed(metrics) as Run["metrics"],
    cancelled: cancel === null ? null : (parsed(cancel) as Run["cancelled"]),
    ...(quiet !== null && { quiet: parsed(quiet) as NonNullable<Run["quiet"]> }),
  };
  return { run, owner, caller: caller ?? "" };
}

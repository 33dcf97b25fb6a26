import type { Run, RunLine, UpdatedTable } from "@lakehelm/contract";
import {
  DataProblem,
  type Engine,
  type PlannedTable,
  type RunUpdateRequest,
  type TableUpdateStatus,
} from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import type { RunControl } from "../../runtime/jobs/executor.ts";
import type { Lineage } from "../../runtime/jobs/lineage.ts";
import { engineFor } from "../../runtime/jobs/named-commands.ts";
import type { ReadPipelineCode } from "./pipeline-code.ts";
import { metricsIn, metricsOf, notReportedBy, type RepeatedAttempt, type UpdateMetrics } from "./update.ts";
import { type UpdateOptions, updateOptions } from "./update-request.ts";

interface UpdateRunOptions {
  readonly read: ReadPipelineCode;
  readonly engine: Pick<Engine, "request">;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly now: () => Date;
}

/** One update of a pipeline on the warehouse of its environment. */
export async function runUpdate(
  { read, engine: anyEngine, clock, now }: UpdateRunOptions,
  pipelineId: string,
  run: Pick<Run, "id" | "cause" | "metrics" | "attempt" | "error">,
  { signal, line, progress, lineage }: Pick<RunControl, "signal" | "line" | "progress" | "lineage">,
): Promise<UpdateMetrics> {
  const started = clock();
  const seconds = () => Math.round(clock() - started) / 1000;
  const options = updateOptions(run.cause);
  const { tables: earlier } = metricsIn(run);
  const again = withThisAttempt(run, now().toISOString());
  if (again.length > 0) progress({ ...metricsOf(earlier.map(resetIfUnfinished), 0, again) });
  const { env, name, code, problems, redaction } = await read(pipelineId).catch((error) => {
    throw asDataProblem(error);
  });
  const engine = engineFor(anyEngine, { id: pipelineId, name, environment: env.environment.name });
  const rethrowRedacted = (error: unknown): never => {
    if (!(error instanceof DataProblem)) throw redaction.error(error);
    throw new DataProblem(redaction.text(error.message), { retryable: error.retryable });
  };

  if (options.validate_only || problems.length > 0) {
    // With an unreadable file nothing runs; problems of the other files are still reported.
    const request = problems.length > 0 ? code : { ...code, ...selectionOf(options) };
    const plan =
      code.sources.length > 0 && engine.request("pipelinePlan", request, { signal }).catch(rethrowRedacted);
    const planned = (await plan) || { problems: [], tables: [] };
    const allProblems = [...problems, ...planned.problems];
    if (allProblems.length > 0) throw new DataProblem(redaction.text(linesOf(allProblems)));
    line("info", `Tables, views and statements that are valid: ${planned.tables.length}.`);
    return metricsOf([], seconds(), again);
  }

  let tables: readonly UpdatedTable[] = [];
  const record = (found: readonly TableUpdateStatus[]) => {
    const time = now().toISOString();
    tables = redaction
      .tree(found)
      .map((table, n) => completedBefore(table, earlier[n]) ?? withTimes(table, tables[n], time));
    return metricsOf(tables, seconds(), again);
  };
  const update = { ...code, update: run.id, attempt: run.attempt, ...selectionOf(options) };
  const callbacks = {
    signal,
    onLogLine: (level: RunLine["level"], text: string) => line(level, redaction.text(text)),
    onProgress: (values: Readonly<Record<string, unknown>>) =>
      progress({ ...record(values.tables as readonly TableUpdateStatus[]) }),
  };
  if (lineage) {
    const plan = await engine.request("pipelinePlan", code, { signal }).catch(rethrowRedacted);
    lineage(lineageOf(plan.tables));
  }
  const done = await engine.request("pipeline", update, callbacks).catch(rethrowRedacted);
  return record(done.tables);
}

/** Views are computed when they are read. */
function lineageOf(planned: readonly PlannedTable[]): Lineage {
  const own = new Set(planned.map(({ name }) => name));
  const read = new Set(planned.flatMap(({ reads }) => reads).filter((name) => !own.has(name)));
  const written = planned.filter(({ kind }) => kind === "materialized_view" || kind === "streaming_table");
  return {
    inputs: [...read].map((name) => ({ name })),
    outputs: written.map(({ name }) => ({ name })),
  };
}

/** Appends this attempt if it is not the first. A graceful shutdown of the server does not count as an attempt. */
function withThisAttempt(run: Parameters<typeof runUpdate>[2], time: string): readonly RepeatedAttempt[] {
  const { again, tables } = metricsIn(run);
  const { attempt, error: reason } = run;
  if (attempt === 1 && tables.length === 0) return again;
  const reported = tables.filter(({ start_time, end_time }) => (start_time ?? end_time) !== null);
  return [...again, { attempt, time, reason, tables: notReportedBy(again, reported) }];
}

const notStarted = {
  state: "waiting",
  rows_added: 0,
  rows_updated: 0,
  rows_removed: 0,
  rows_dropped: 0,
  expectations: [],
  seconds: 0,
  error: null,
  start_time: null,
  end_time: null,
} as const;

/** The initial state until the engine reports more: tables that are not done are waiting. */
function resetIfUnfinished(table: UpdatedTable): UpdatedTable {
  const isLeft = table.state !== "completed" && table.state !== "excluded";
  return isLeft ? { ...table, ...notStarted, expectations: [] } : table;
}

/** A full refresh of some tables refreshes no other tables, unless `refresh_selection` names them. */
function selectionOf(options: UpdateOptions): Pick<RunUpdateRequest, "refresh" | "fullRefresh"> {
  if (options.full_refresh) return { refresh: "all", fullRefresh: "all" };
  const some = [...options.refresh_selection, ...options.full_refresh_selection];
  return { refresh: some.length > 0 ? some : "all", fullRefresh: options.full_refresh_selection };
}

/** Tables that an earlier attempt completed keep its report; the engine does not process them again. */
function completedBefore(
  { name, state }: TableUpdateStatus,
  earlier: UpdatedTable | undefined,
): UpdatedTable | undefined {
  const isDone = earlier?.name === name && earlier.state === "completed";
  return isDone && state !== "failed" && state !== "skipped" ? earlier : undefined;
}

/** Adds the times at which the start and the end of a table were first reported. */
function withTimes(table: TableUpdateStatus, before: UpdatedTable | undefined, time: string): UpdatedTable {
  const begun = table.state === "running" || table.state === "completed" || table.state === "failed";
  const ended = begun ? table.state !== "running" : table.state === "skipped";
  return {
    ...table,
    expectations: table.expectations.map((expectation) => ({ ...expectation })),
    start_time: begun ? (before?.start_time ?? time) : null,
    end_time: ended ? (before?.end_time ?? time) : null,
  };
}

const linesOf = (
  problems: readonly { path: string; line: number; column: number; message: string }[],
): string =>
  problems.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`).join("\n");

/** A wrong declaration is a permanent error until someone changes it. */
function asDataProblem(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  return new DataProblem(error.message, { retryable: error.kind === "unavailable", cause: error });
}

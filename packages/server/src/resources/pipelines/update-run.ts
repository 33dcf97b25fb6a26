import type { Run, RunLine, UpdatedTable } from "@lakehelm/contract";
import {
  DataProblem,
  type Engine,
  type RunUpdateRequest,
  type TableUpdateStatus as Told,
} from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import type { RunControl } from "../../runtime/jobs/executor.ts";
import type { ReadPipelineCode } from "./pipeline-code.ts";
import { type Again, metricsIn, metricsOf, notToldBy, type UpdateMetrics } from "./update.ts";
import { type Asked, askedFor } from "./update-request.ts";

interface RunParts {
  readonly read: ReadPipelineCode;
  readonly engine: Pick<Engine, "request">;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly now: () => Date;
}

/** One update of a pipeline on the warehouse of its environment. */
export async function runUpdate(
  { read, engine, clock, now }: RunParts,
  pipelineId: string,
  run: Pick<Run, "id" | "cause" | "metrics" | "attempt" | "error">,
  { signal, line, progress }: Pick<RunControl, "signal" | "line" | "progress">,
): Promise<UpdateMetrics> {
  const started = clock();
  const seconds = () => Math.round(clock() - started) / 1000;
  const asked = askedFor(run.cause);
  const { tables: earlier } = metricsIn(run);
  const again = begunAgain(run, now().toISOString());
  if (again.length > 0) progress({ ...metricsOf(earlier.map(toDo), 0, again) });
  const { code, problems, hiding } = await read(pipelineId).catch((error) => {
    throw told(error);
  });
  const hidden = (error: unknown): never => {
    if (!(error instanceof DataProblem)) throw error;
    throw new DataProblem(hiding.text(error.message), { retryable: error.retryable });
  };

  if (asked.validate_only || problems.length > 0) {
    // With an unreadable file nothing runs; problems of the other files are still reported.
    const wanted = problems.length > 0 ? code : { ...code, ...chosen(asked) };
    const asking =
      code.sources.length > 0 && engine.request("pipelinePlan", wanted, { signal }).catch(hidden);
    const planned = (await asking) || { problems: [], tables: [] };
    const wrong = [...problems, ...planned.problems];
    if (wrong.length > 0) throw new DataProblem(hiding.text(linesOf(wrong)));
    line("info", `Nothing is wrong with its ${planned.tables.length} tables, views and statements.`);
    return metricsOf([], seconds(), again);
  }

  let tables: readonly UpdatedTable[] = [];
  const note = (found: readonly Told[]) => {
    const time = now().toISOString();
    tables = hiding
      .tree(found)
      .map((table, n) => doneBefore(table, earlier[n]) ?? timed(table, tables[n], time));
    return metricsOf(tables, seconds(), again);
  };
  const update = { ...code, update: run.id, ...chosen(asked) };
  const listening = {
    signal,
    onLogLine: (level: RunLine["level"], text: string) => line(level, hiding.text(text)),
    onProgress: (values: Readonly<Record<string, unknown>>) =>
      progress({ ...note(values.tables as readonly Told[]) }),
  };
  const done = await engine.request("pipeline", update, listening).catch(hidden);
  return note(done.tables);
}

/** Appends this attempt if it is not the first. A graceful shutdown of the server does not count as an attempt. */
function begunAgain(run: Parameters<typeof runUpdate>[2], time: string): readonly Again[] {
  const { again, tables } = metricsIn(run);
  const { attempt, error: reason } = run;
  if (attempt === 1 && tables.length === 0) return again;
  const told = tables.filter(({ start_time, end_time }) => (start_time ?? end_time) !== null);
  return [...again, { attempt, time, reason, tables: notToldBy(again, told) }];
}

const nothingDone = {
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

/** The initial state until the engine reports more: what is not done is waiting. */
function toDo(table: UpdatedTable): UpdatedTable {
  const isLeft = table.state !== "completed" && table.state !== "excluded";
  return isLeft ? { ...table, ...nothingDone, expectations: [] } : table;
}

/** A full refresh of some tables refreshes only those, and others only if they are named. */
function chosen(asked: Asked): Pick<RunUpdateRequest, "refresh" | "fullRefresh"> {
  if (asked.full_refresh) return { refresh: "all", fullRefresh: "all" };
  const some = [...asked.refresh_selection, ...asked.full_refresh_selection];
  return { refresh: some.length > 0 ? some : "all", fullRefresh: asked.full_refresh_selection };
}

/** Tables that an earlier attempt completed keep its report; the engine does not process them again. */
function doneBefore({ name, state }: Told, earlier: UpdatedTable | undefined): UpdatedTable | undefined {
  const isDone = earlier?.name === name && earlier.state === "completed";
  return isDone && state !== "failed" && state !== "skipped" ? earlier : undefined;
}

/** Adds start and end times: when the state was first reported. */
function timed(table: Told, before: UpdatedTable | undefined, time: string): UpdatedTable {
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
function told(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  return new DataProblem(error.message, { retryable: error.kind === "unavailable", cause: error });
}

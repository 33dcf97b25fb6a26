import { counted } from "@lakehelm/contract/text";
import {
  DataProblem,
  type RequestListeners,
  type RunUpdateRequest,
  type RunUpdateResult,
  type TableUpdateStatus,
} from "@lakehelm/engine";
import { type Selection, selectionOf } from "@lakehelm/engine/selection";
import { plainName, schemaName, sqlName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { type ApplyMetadata, runPlain } from "../work/script.ts";
import { type WorkSession, workError } from "../work/work-session.ts";
import { ownTable, type PipelineExists } from "./dataset-table.ts";
import { marksOf, noNumbers, type RowNumbers } from "./mark.ts";
import { refreshMaterializedView } from "./materialized-view.ts";
import { type PipelineStep, readPipeline, tableNameOf } from "./plan.ts";
import { storageOf, type UpdateSources } from "./sources.ts";
import { refreshStreamingTable } from "./streaming-table.ts";
import { createUpdateHistory } from "./update-history.ts";

export interface UpdateAccess {
  readonly session: WorkSession;
  readonly signal: AbortSignal;
  readonly listeners: RequestListeners;
  readonly applyMetadata: ApplyMetadata;
  readonly pipelineExists: PipelineExists;
}

/** Runs the steps of an update in order. A step that reads something that failed is skipped; the others still run. */
export async function runUpdate(access: UpdateAccess, request: RunUpdateRequest): Promise<RunUpdateResult> {
  const { session, signal, listeners } = access;
  const { problems, steps } = await readPipeline(session, request);
  if (problems) {
    throw new DataProblem(
      problems.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`).join("\n"),
    );
  }
  const datasets = new Map(
    steps.flatMap(({ dataset }) => (dataset ? [[dataset.name, dataset] as const] : [])),
  );
  const { pipeline, update } = request;
  const sources: UpdateSources = {
    session,
    history: createUpdateHistory(session),
    pipeline,
    update,
    datasets,
    log: (text) => listeners.onLogLine?.("info", text),
  };
  const selection = selectionOf(request, [...datasets.keys()]);
  const tables = steps.map((step) => initialStatus(step, selection));
  const changed = new Set<string>();
  const failedSources = new Map<string, string>();
  const failures: DataProblem[] = [];
  const report = (at: number, table: TableUpdateStatus) => {
    tables[at] = table;
    listeners.onProgress?.({ tables: [...tables] });
  };
  listeners.onProgress?.({ tables: [...tables] });

  for (const [at, step] of steps.entries()) {
    const table = tables[at] as TableUpdateStatus;
    if (table.state === "excluded") continue;
    const failedSource = readsOf(step).find((name) => failedSources.has(name));
    if (failedSource !== undefined) {
      for (const name of writesOf(step)) failedSources.set(name, failedSource);
      report(at, { ...table, state: "skipped", error: `It reads ${failedSource}, which failed.` });
      listeners.onLogLine?.("warn", `${table.name}: skipped, because ${failedSource} failed.`);
      continue;
    }
    report(at, { ...table, state: "running" });
    const began = performance.now();
    const seconds = () => Math.round(performance.now() - began) / 1000;
    try {
      const isFull = step.dataset !== undefined && selection.isFull(step.dataset.name);
      const numbers = await runStep(access, sources, step, at, isFull);
      if (numbers.rows_added + numbers.rows_updated + numbers.rows_removed > 0) changed.add(table.name);
      report(at, { ...table, ...numbers, state: "completed", seconds: seconds() });
      const { rows_added, rows_updated, rows_removed } = numbers;
      listeners.onLogLine?.(
        "info",
        `${table.name}: ${counted(rows_added, "row")} added, ${rows_updated} updated, ${rows_removed} removed.`,
      );
    } catch (error) {
      signal.throwIfAborted();
      const problem = workError(error);
      // A cluster that is away is not an error of this table: the whole update is retried.
      if (!(problem instanceof DataProblem) || problem.retryable) throw problem;
      failures.push(problem);
      for (const name of writesOf(step)) failedSources.set(name, table.name);
      report(at, { ...table, state: "failed", seconds: seconds(), error: problem.message });
      listeners.onLogLine?.("error", `${table.name}: ${problem.message}`);
    }
  }
  if (failures.length > 0) throw updateProblem(tables);
  return { tables, changed: [...changed] };
}

async function runStep(
  access: UpdateAccess,
  sources: UpdateSources,
  { dataset, statement }: PipelineStep,
  at: number,
  isFull: boolean,
): Promise<RowNumbers> {
  const { session, applyMetadata, listeners } = access;
  if (statement) {
    const line = (text: string) => listeners.onLogLine?.("info", text);
    const counts = await runPlain(session, statement, statement.sql, String(at + 1), applyMetadata, line);
    sources.history.forgetAll();
    return {
      ...noNumbers,
      rows_added: counts?.inserted ?? 0,
      rows_updated: counts?.updated ?? 0,
      rows_removed: counts?.deleted ?? 0,
    };
  }
  // A view is a query in the queries that read it: catalogs on a Hive metastore have no views.
  if (dataset.kind === "view") return noNumbers;
  return refresh(access, sources, dataset, isFull);
}

async function refresh(
  { session, pipelineExists }: UpdateAccess,
  sources: UpdateSources,
  dataset: PipelineDataset,
  isFull: boolean,
): Promise<RowNumbers> {
  const storage = storageOf(sources.pipeline, dataset);
  const { pipeline, update } = sources;
  const done = (await marksOf(sources, sqlName(storage))).find(
    (one) => one.update === update && one.step === dataset.name,
  );
  if (done) return done.numbers;
  await session.rows(`CREATE SCHEMA IF NOT EXISTS ${schemaName(storage)}`);
  await requireSources(sources, dataset);
  const existing = await ownTable(session, pipeline, storage, dataset, pipelineExists);
  return dataset.kind === "materialized_view"
    ? refreshMaterializedView(sources, dataset, existing, isFull)
    : refreshStreamingTable(sources, dataset, existing, isFull);
}

/** A dataset that no update has included does not exist yet. */
async function requireSources(
  { session, pipeline, datasets }: UpdateSources,
  { flows }: PipelineDataset,
): Promise<void> {
  for (const name of new Set(flows.flatMap(({ reads }) => reads))) {
    const read = datasets.get(name);
    if (!read || read.kind === "view") continue;
    if (await session.tableColumns(sqlName(storageOf(pipeline, read)))) continue;
    throw new DataProblem(`It reads ${name}, which does not exist yet: no update has included it so far.`);
  }
}

const writesOf = ({ dataset, statement }: PipelineStep): readonly string[] =>
  statement ? statement.writes : [dataset.name];

const readsOf = ({ dataset, statement }: PipelineStep): readonly string[] =>
  statement ? [...statement.reads, ...statement.writes] : dataset.flows.flatMap(({ reads }) => reads);

function initialStatus(step: PipelineStep, selection: Selection): TableUpdateStatus {
  const { dataset, statement } = step;
  const isNeeded = dataset
    ? dataset.kind === "view" || selection.isSelected(dataset.name)
    : selection.isEverything;
  return {
    name: statement ? (statement.writes[0] ?? plainName(tableNameOf(""))) : dataset.name,
    kind: statement ? "statement" : dataset.kind,
    state: isNeeded ? "waiting" : "excluded",
    ...noNumbers,
    seconds: 0,
    error: null,
  };
}

function updateProblem(tables: readonly TableUpdateStatus[]): DataProblem {
  const messages = tables
    .filter(({ state }) => state === "failed")
    .map(({ name, error }) => `${name}: ${error}`);
  const skipped = tables.filter(({ state }) => state === "skipped").length;
  const rest = skipped > 0 ? `\n${skipped} skipped, because a table upstream failed.` : "";
  return new DataProblem(`${messages.join("\n")}${rest}`);
}

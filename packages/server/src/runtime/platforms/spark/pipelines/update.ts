import {
  DataProblem,
  type RequestListeners,
  type RunUpdateRequest,
  type RunUpdateResult,
} from "@lakehelm/engine";
import {
  missingSource,
  noNumbers,
  type RowNumbers,
  runSteps,
  type StepResult,
} from "@lakehelm/engine/update";
import { schemaName, sqlName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { type ApplyMetadata, runPlain } from "../work/script.ts";
import { type WorkSession, workError } from "../work/work-session.ts";
import { ownTable, type PipelineExists } from "./dataset-table.ts";
import { marksOf } from "./mark.ts";
import { refreshMaterializedView } from "./materialized-view.ts";
import { type PipelineStep, readPipeline } from "./plan.ts";
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

export async function runUpdate(access: UpdateAccess, request: RunUpdateRequest): Promise<RunUpdateResult> {
  const { session, signal, listeners } = access;
  const plan = await readPipeline(session, request);
  const datasets = new Map(
    plan.steps?.flatMap(({ dataset }) => (dataset ? [[dataset.name, dataset] as const] : [])),
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
  return runSteps(
    request,
    plan,
    {
      run: (step, at, isFull) => runStep(access, sources, step, at, isFull),
      problemOf(error) {
        const problem = workError(error);
        // If the cluster is away, the whole update is retried.
        if (!(problem instanceof DataProblem) || problem.retryable) throw problem;
        return problem;
      },
    },
    {
      signal,
      log: (level, text) => listeners.onLogLine?.(level, text),
      progress: (values) => listeners.onProgress?.({ ...values }),
    },
  );
}

async function runStep(
  access: UpdateAccess,
  sources: UpdateSources,
  { dataset, statement }: PipelineStep,
  at: number,
  isFull: boolean,
): Promise<StepResult> {
  const { session, applyMetadata, listeners } = access;
  if (statement) {
    const line = (text: string) => listeners.onLogLine?.("info", text);
    const counts = await runPlain(session, statement, statement.sql, String(at + 1), applyMetadata, line);
    sources.history.forgetAll();
    const { inserted = 0, updated = 0, deleted = 0 } = counts ?? {};
    const numbers = { ...noNumbers, rows_added: inserted, rows_updated: updated, rows_removed: deleted };
    return resultOf(statement.writes[0] ?? "", numbers);
  }
  // A view is a query in the queries that read it: catalogs on a Hive metastore have no views.
  if (dataset.kind === "view") return resultOf(dataset.name, noNumbers);
  return refresh(access, sources, dataset, isFull);
}

function resultOf(name: string, numbers: RowNumbers, isRepeated = false): StepResult {
  const isChanged = numbers.rows_added + numbers.rows_updated + numbers.rows_removed > 0;
  return { numbers, changed: isChanged ? name : null, isRepeated };
}

async function refresh(
  { session, pipelineExists }: UpdateAccess,
  sources: UpdateSources,
  dataset: PipelineDataset,
  isFull: boolean,
): Promise<StepResult> {
  const storage = storageOf(sources.pipeline, dataset);
  const { pipeline, update } = sources;
  const done = (await marksOf(sources, sqlName(storage))).find(
    (one) => one.update === update && one.step === dataset.name,
  );
  if (done) return resultOf(dataset.name, done.numbers, true);
  await session.rows(`CREATE SCHEMA IF NOT EXISTS ${schemaName(storage)}`);
  await requireSources(sources, dataset);
  const existing = await ownTable(session, pipeline, storage, dataset, pipelineExists);
  const refreshTable = dataset.kind === "materialized_view" ? refreshMaterializedView : refreshStreamingTable;
  return resultOf(dataset.name, await refreshTable(sources, dataset, existing, isFull));
}

async function requireSources(
  { session, pipeline, datasets }: UpdateSources,
  { flows }: PipelineDataset,
): Promise<void> {
  for (const name of new Set(flows.flatMap(({ reads }) => reads))) {
    const read = datasets.get(name);
    if (!read || read.kind === "view") continue;
    if (await session.tableColumns(sqlName(storageOf(pipeline, read)))) continue;
    throw missingSource(name);
  }
}

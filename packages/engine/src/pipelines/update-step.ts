import type { DuckDBConnection } from "@duckdb/node-api";
import type { RunUpdateRequest } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import { interruptible } from "../warehouse/interrupt.ts";
import { fullName, internalSchema, type TableName } from "../warehouse/names.ts";
import { type DatasetOwnership, readOwner, writeOwner } from "../warehouse/ownership.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { BoundDataset, BoundStatementStep, BoundStep } from "./code/bound-step.ts";
import { cdcClauses, kindChangeProblem } from "./code/resume-check.ts";
import { readCompleted, type WorkKey, writeCompleted } from "./completed-work.ts";
import type { DatasetOutcome } from "./datasets/dataset-outcome.ts";
import { describeTable } from "./datasets/dataset-table.ts";
import { refreshMaterializedView } from "./datasets/materialized-view.ts";
import { type DatasetSources, privateSubstitutes } from "./datasets/source-relations.ts";
import { refreshStreamingTable } from "./datasets/streaming-table.ts";
import { refreshView } from "./datasets/view.ts";
import { nameConflict } from "./name-conflict.ts";
import { runStatement } from "./statements/statement-run.ts";
import { duckdbName, relationKind } from "./storage.ts";
import { missingSource, type RowNumbers, type StepResult } from "./update-steps.ts";

/** The parts that all steps of an update share. */
export interface UpdateContext {
  readonly warehouse: Warehouse;
  readonly request: RunUpdateRequest;
  readonly context: RequestContext;
  /** The datasets by their DuckDB names. */
  readonly datasets: ReadonlyMap<string, BoundDataset>;
}

/** Runs one step in one transaction: rows, checkpoints, the version and the record of completion are written together. */
export async function runStep(
  update: UpdateContext,
  step: BoundStep,
  at: number,
  isFull: boolean,
): Promise<StepResult> {
  const { warehouse, request, context } = update;
  const name = step.dataset ? step.storage : step.bound.table;
  const catalog = name?.catalog ?? request.scope.catalog;
  if (step.dataset) await warehouse.createSchema(step.storage);
  else await warehouse.attach(catalog);
  const stepName = step.dataset ? step.dataset.name : `statement ${at}`;
  const workKey: WorkKey = { owner: request.pipeline, idempotencyKey: request.update, step: stepName };
  const done = await inTransaction(warehouse, context.signal, (connection) =>
    interruptible(connection, context.signal, async () => {
      const before = await readCompleted(connection, catalog, workKey);
      // The result was written below, by this or an earlier process.
      if (before !== undefined) return { ...(before as Omit<StepResult, "isRepeated">), isRepeated: true };
      const { datasets } = update;
      const crashPoint = (point: string) => context.crashPoint(`${point} ${stepName}`);
      const { pipeline } = request;
      const { log } = context;
      const sources: DatasetSources = { warehouse, connection, pipeline, datasets, log, crashPoint };
      const outcome = step.dataset ? await refresh(sources, step, isFull) : await execute(sources, step);
      const time = context.now();
      if (name && outcome.change) await warehouse.recordChange(connection, name, time, outcome.change);
      const result = {
        numbers: numbersOf(outcome),
        changed: name && outcome.change && name.schema !== internalSchema ? fullName(name) : null,
      };
      // A step without any change is not recorded and may run again: most updates of most tables write nothing at all.
      if (step.statement || !isUnchanged(outcome))
        await writeCompleted(connection, catalog, workKey, result, time);
      crashPoint("written");
      return { ...result, isRepeated: false };
    }),
  );
  context.crashPoint(`recorded ${stepName}`);
  return done;
}

async function refresh(
  sources: DatasetSources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  const { connection, pipeline } = sources;
  const { dataset, storage } = bound;
  const { kind } = dataset;
  const before = await readOwner(connection, storage);
  // Checked again, because another program may have created the table since the plan.
  if (before?.pipeline !== pipeline && !dataset.isPrivate) await requireFreeName(connection, storage, before);
  const kindProblem = isFull ? undefined : kindChangeProblem(dataset, before?.kind, pipeline);
  if (kindProblem !== undefined) throw new DataProblem(kindProblem);
  await requireSources(sources, bound);
  const isRecreated = isFull || before?.kind !== kind;
  const outcome =
    kind === "view"
      ? await refreshView(sources, bound, before?.definition)
      : kind === "materialized_view"
        ? await refreshMaterializedView(sources, bound, isRecreated)
        : await refreshStreamingTable(sources, bound, isRecreated);
  if (kind === "view" && dataset.isPrivate) return outcome;
  await describeTable(connection, bound);
  const { definition = kind === "streaming_table" ? cdcClauses(bound) : "" } = outcome;
  const owner: DatasetOwnership = {
    pipeline,
    kind,
    properties: JSON.stringify(dataset.properties),
    definition,
  };
  await writeOwner(connection, storage, owner, before);
  return outcome;
}

async function requireFreeName(
  connection: DuckDBConnection,
  name: TableName,
  owner: DatasetOwnership | undefined,
): Promise<void> {
  const kind = await relationKind(connection, name);
  const conflict = kind && nameConflict(name, kind, owner);
  if (conflict !== undefined) throw new DataProblem(`${conflict[0]?.toUpperCase()}${conflict.slice(1)}`);
}

async function requireSources(
  { connection, datasets }: DatasetSources,
  { dataset }: BoundDataset,
): Promise<void> {
  for (const name of new Set(dataset.flows.flatMap(({ reads }) => reads))) {
    const read = datasets.get(duckdbName(name));
    if (!read || (read.dataset.kind === "view" && read.dataset.isPrivate)) continue;
    // A dataset that has an owner exists.
    if (await readOwner(connection, read.storage)) continue;
    throw missingSource(name);
  }
}

async function execute(
  sources: DatasetSources,
  { bound, statement }: BoundStatementStep,
): Promise<DatasetOutcome> {
  const substitutes = await privateSubstitutes(sources, statement.reads);
  const { inserted, updated, deleted, change } = await runStatement(
    sources.connection,
    bound,
    substitutes,
    sources.pipeline,
  );
  return { added: inserted, updated, removed: deleted, change, expectations: [], dropped: 0 };
}

const isUnchanged = ({ added, updated, removed, dropped, change }: DatasetOutcome): boolean =>
  change === null && added + updated + removed + dropped === 0;

const numbersOf = ({ added, updated, removed, expectations, dropped }: DatasetOutcome): RowNumbers => ({
  rows_added: added,
  rows_updated: updated,
  rows_removed: removed,
  expectations,
  rows_dropped: dropped,
});

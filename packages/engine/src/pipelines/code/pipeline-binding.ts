import { loadSqlParser } from "@lakehelm/sql";
import { type PipelineProblem, type PlainStatement, planPipeline } from "@lakehelm/sql/pipelines";
import type { PipelinePlanRequest } from "../../protocol/pipeline.ts";
import { interruptible } from "../../warehouse/interrupt.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { selectionOf } from "../selection.ts";
import { bindStatement } from "../statements/statement-binding.ts";
import { duckdbName } from "../storage.ts";
import { Binder, BindingFailed } from "./binder.ts";
import type { BoundDataset, BoundStep } from "./bound-step.ts";
import { readCatalogSnapshot } from "./catalog-snapshot.ts";
import { bindDataset } from "./dataset-binding.ts";
import { knownColumns } from "./known-columns.ts";
import { type ResumeProblems, resumeProblems } from "./resume-check.ts";

/** A pipeline's code, read and bound: problems, or everything that is needed to run it. */
export interface BoundPipeline {
  readonly problems: readonly PipelineProblem[];
  /** What would fail in its turn, as it looks now; what does not depend on it would run. */
  readonly runtimeProblems: readonly PipelineProblem[];
  /** Those that could be bound, in the order in which they run. */
  readonly steps: readonly BoundStep[];
}

/** It writes nothing but temporary tables without rows, on a connection of its own. */
export async function bindPipeline(
  warehouse: Warehouse,
  code: PipelinePlanRequest,
  signal: AbortSignal,
): Promise<BoundPipeline> {
  const { scope, pipeline, sources, configuration } = code;
  const sql = await loadSqlParser();
  const connection = await warehouse.connect();
  try {
    return await interruptible(connection, signal, async () => {
      const tables = await knownColumns(warehouse, connection);
      const snapshot = await readCatalogSnapshot(warehouse, connection);
      const { catalog, schema, environment } = scope;
      const plan = planPipeline(sql, sources, { catalog, schema, configuration, tables });
      if (plan.problems) return { problems: plan.problems, runtimeProblems: [], steps: [] };
      const binding = new Binder(pipeline, { warehouse, connection, environment, signal, snapshot });
      const steps: BoundStep[] = [];
      const unbound = new Set<string>();
      for (const { dataset, statement } of plan.steps) {
        const reads = statement ? statement.reads : dataset.flows.flatMap((flow) => flow.reads);
        // What reads something wrong cannot be judged.
        const isJudged = !reads.some((name) => unbound.has(name));
        try {
          if (!isJudged) throw new BindingFailed();
          if (dataset) steps.push(await bindDataset(binding, dataset));
          else steps.push({ statement, bound: await bindStatement(binding, statement) });
        } catch (error) {
          if (!(error instanceof BindingFailed)) throw error;
          for (const name of statement ? shapedBy(statement) : [dataset.name]) unbound.add(name);
        }
      }
      const { codeProblems, runtimeProblems } = await obstacles(binding, steps, code);
      const inTextOrder = byPlace(sources.map(({ path }) => path));
      return {
        problems: [...binding.problems, ...codeProblems].toSorted(inTextOrder),
        runtimeProblems,
        steps,
      };
    });
  } finally {
    connection.closeSync();
  }
}

/** The tables whose columns are not known where a statement is wrong. */
const shapedBy = ({ meaning: { verb }, writes }: PlainStatement): readonly string[] =>
  verb === "create_table" || verb === "add_columns" ? writes : [];

const byPlace = (paths: readonly string[]) => (one: PipelineProblem, other: PipelineProblem) =>
  paths.indexOf(one.path) - paths.indexOf(other.path) || one.line - other.line || one.column - other.column;

/** Of all datasets that are chosen, and do not begin anew. */
async function obstacles(
  { pipeline, context: { connection, snapshot } }: Binder,
  steps: readonly BoundStep[],
  { scope, refresh = "all", fullRefresh = [] }: PipelinePlanRequest,
): Promise<ResumeProblems> {
  const datasets = datasetsOf(steps);
  const names = [...datasets.values()].map(({ dataset }) => dataset.name);
  const selection = selectionOf({ scope, refresh, fullRefresh }, names);
  const found: ResumeProblems[] = [];
  for (const bound of datasets.values()) {
    const { name } = bound.dataset;
    if (!selection.isChosen(name) || selection.isFull(name)) continue;
    const before = snapshot.ownerOf(bound.storage);
    if (before?.pipeline !== pipeline) continue;
    found.push(await resumeProblems({ connection, pipeline, datasets }, bound, before));
  }
  return {
    codeProblems: found.flatMap(({ codeProblems }) => codeProblems),
    runtimeProblems: found.flatMap(({ runtimeProblems }) => runtimeProblems),
  };
}

/** By the names that DuckDB would know them by. */
export const datasetsOf = (steps: readonly BoundStep[]): Map<string, BoundDataset> =>
  new Map(steps.flatMap((step) => (step.dataset ? [[duckdbName(step.dataset.name), step]] : [])));

import { loadSqlParser } from "@lakehelm/sql";
import { type PipelineProblem, type PlainStatement, planPipeline } from "@lakehelm/sql/pipelines";
import type { UpdatePlanRequest } from "../../protocol/pipeline.ts";
import { knownColumns } from "../../warehouse/catalog/known-columns.ts";
import { interruptible } from "../../warehouse/interrupt.ts";
import { keepStatements } from "../../warehouse/queries/kept-statements.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { selectionOf } from "../selection.ts";
import { bindStatement } from "../statements/statement-binding.ts";
import { duckdbName } from "../storage.ts";
import { Binder, BindingFailed } from "./binder.ts";
import type { BoundDataset, BoundStep } from "./bound-step.ts";
import { readCatalogSnapshot } from "./catalog-snapshot.ts";
import { bindDataset } from "./dataset-binding.ts";
import { columnNames, expectedTables, withExpected } from "./expected-tables.ts";
import { type ResumeProblems, resumeProblems } from "./resume-check.ts";

/** The bound code of a pipeline: its problems, or everything that is needed to run it. */
export interface BoundPipeline {
  readonly problems: readonly PipelineProblem[];
  /** Problems of single datasets that would fail when they run. Other datasets would still run. */
  readonly runtimeProblems: readonly PipelineProblem[];
  /** Those problems that are of tables which must be computed again before an update can continue. */
  readonly resume: readonly PipelineProblem[];
  /** The steps that could be bound, in execution order. */
  readonly steps: readonly BoundStep[];
  /** The expected tables that the pipeline reads and whose columns are unknown. */
  readonly unknown: readonly string[];
}

/** Writes nothing but empty temporary tables, on its own connection. */
export async function bindPipeline(
  warehouse: Warehouse,
  code: UpdatePlanRequest,
  signal: AbortSignal,
): Promise<BoundPipeline> {
  const { scope, pipeline, sources, configuration, expected = [] } = code;
  const sql = await loadSqlParser();
  const connection = await warehouse.connect();
  const kept = keepStatements(connection);
  try {
    return await interruptible(connection, signal, async () => {
      const known = await knownColumns(warehouse, connection);
      const later = expectedTables(expected, known);
      const { unknown } = later;
      const tables = withExpected(known, later, columnNames);
      const snapshot = await readCatalogSnapshot(warehouse, connection);
      const { catalog, schema, environment } = scope;
      const plan = planPipeline(sql, sources, { catalog, schema, configuration, tables, unknown });
      const used = unknown.filter((name) => plan.others.includes(name));
      if (plan.problems)
        return { problems: plan.problems, runtimeProblems: [], resume: [], steps: [], unknown: used };
      const binder = new Binder(pipeline, { warehouse, connection, environment, signal, snapshot });
      const steps: BoundStep[] = [];
      for (const { name, columns } of later.tables) await binder.addTable(name, columns);
      const unbound = new Set(unknown);
      for (const { dataset, statement } of plan.steps) {
        const reads = statement ? statement.reads : dataset.flows.flatMap((flow) => flow.reads);
        // A step that reads something unbound cannot be checked.
        const isBindable = !reads.some((name) => unbound.has(name));
        try {
          if (!isBindable) throw new BindingFailed();
          if (dataset) steps.push(await bindDataset(binder, dataset));
          else steps.push({ statement, bound: await bindStatement(binder, statement) });
        } catch (error) {
          if (!(error instanceof BindingFailed)) throw error;
          for (const name of statement ? shapedBy(statement) : [dataset.name]) unbound.add(name);
        }
      }
      const { codeProblems, runtimeProblems } = await findResumeProblems(binder, steps, code);
      const inTextOrder = byLocation(sources.map(({ path }) => path));
      return {
        problems: [...binder.problems, ...codeProblems].toSorted(inTextOrder),
        runtimeProblems,
        resume: [...codeProblems, ...runtimeProblems],
        steps,
        unknown: used,
      };
    });
  } finally {
    kept[Symbol.dispose]();
    connection.closeSync();
  }
}

/** Tables whose columns are unknown if the statement cannot be bound. */
const shapedBy = ({ meaning: { verb }, writes }: PlainStatement): readonly string[] =>
  verb === "create_table" || verb === "add_columns" ? writes : [];

const byLocation = (paths: readonly string[]) => (one: PipelineProblem, other: PipelineProblem) =>
  paths.indexOf(one.path) - paths.indexOf(other.path) || one.line - other.line || one.column - other.column;

/** The resume problems of all selected datasets that are not fully refreshed. */
async function findResumeProblems(
  { pipeline, context: { connection, snapshot } }: Binder,
  steps: readonly BoundStep[],
  { scope, refresh = "all", fullRefresh = [] }: UpdatePlanRequest,
): Promise<ResumeProblems> {
  const datasets = datasetsOf(steps);
  const names = [...datasets.values()].map(({ dataset }) => dataset.name);
  const selection = selectionOf({ scope, refresh, fullRefresh }, names);
  const found: ResumeProblems[] = [];
  for (const bound of datasets.values()) {
    const { name } = bound.dataset;
    if (!selection.isSelected(name) || selection.isFull(name)) continue;
    const before = snapshot.ownerOf(bound.storage);
    if (before?.pipeline !== pipeline) continue;
    found.push(await resumeProblems({ connection, pipeline, datasets }, bound, before));
  }
  return {
    codeProblems: found.flatMap(({ codeProblems }) => codeProblems),
    runtimeProblems: found.flatMap(({ runtimeProblems }) => runtimeProblems),
  };
}

/** The datasets by their DuckDB names. */
export const datasetsOf = (steps: readonly BoundStep[]): Map<string, BoundDataset> =>
  new Map(steps.flatMap((step) => (step.dataset ? [[duckdbName(step.dataset.name), step]] : [])));

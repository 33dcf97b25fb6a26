import { counted } from "@lakehelm/contract/text";
import type { PipelineDataset, PipelineProblem, PlainStatement } from "@lakehelm/sql/pipelines";
import type { LogLevel } from "../protocol/engine.ts";
import type { RunUpdateRequest, RunUpdateResult, TableUpdateStatus } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import { type Selection, selectionOf } from "./selection.ts";

/** Either refreshes a table or view, or runs a plain statement. */
export type UpdateStep =
  | { readonly dataset: PipelineDataset; readonly statement?: never }
  | { readonly statement: PlainStatement; readonly dataset?: never };

/** What an update did to a table. */
export type RowNumbers = Pick<
  TableUpdateStatus,
  "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped" | "expectations"
>;

export const noNumbers: RowNumbers = {
  rows_added: 0,
  rows_updated: 0,
  rows_removed: 0,
  rows_dropped: 0,
  expectations: [],
};

export interface StepResult {
  readonly numbers: RowNumbers;
  /** The full name of the table, if it is public and has changed. */
  readonly changed: string | null;
  /** Whether an earlier attempt of the same update had completed the step. */
  readonly isRepeated: boolean;
}

/** Code with problems has no steps. */
export interface UpdatePlan<Step extends UpdateStep> {
  readonly problems?: readonly PipelineProblem[];
  readonly steps?: readonly Step[];
}

/** How a table store runs the steps of an update. */
export interface StepRunner<Step extends UpdateStep> {
  /** Commits the rows of a step together with the record that the step is complete. */
  run(step: Step, at: number, isFull: boolean): Promise<StepResult>;
  /** The problem that fails this step alone. Throws what fails the whole update. */
  problemOf(error: unknown, step: Step): DataProblem;
}

export interface UpdateReports {
  readonly signal: AbortSignal;
  log(level: LogLevel, text: string): void;
  progress(values: { readonly tables: readonly TableUpdateStatus[] }): void;
}

/** Runs the steps of an update in order. A step that reads a failed dataset is skipped; the other steps still run. */
export async function runSteps<Step extends UpdateStep>(
  request: RunUpdateRequest,
  { problems = [], steps = [] }: UpdatePlan<Step>,
  runner: StepRunner<Step>,
  { signal, log, progress }: UpdateReports,
): Promise<RunUpdateResult> {
  if (problems.length > 0) throw codeProblem(problems);
  const datasets = steps.flatMap(({ dataset }) => (dataset ? [dataset.name] : []));
  const selection = selectionOf(request, datasets);
  const tables = steps.map((step) => initialStatus(step, selection));
  const changed = new Set<string>();
  const failedSources = new Map<string, string>();
  const failures: DataProblem[] = [];
  const report = (at: number, table: TableUpdateStatus) => {
    tables[at] = table;
    progress({ tables: [...tables] });
  };
  progress({ tables: [...tables] });

  for (const [at, step] of steps.entries()) {
    const table = tables[at] as TableUpdateStatus;
    if (table.state === "excluded") continue;
    const failedSource = readsOf(step).find((name) => failedSources.has(name));
    if (failedSource !== undefined) {
      for (const name of writesOf(step)) failedSources.set(name, failedSource);
      report(at, { ...table, state: "skipped", error: `It reads ${failedSource}, which failed.` });
      log("warn", `${table.name}: skipped, because ${failedSource} failed.`);
      continue;
    }
    report(at, { ...table, state: "running" });
    const began = performance.now();
    const seconds = () => Math.round(performance.now() - began) / 1000;
    try {
      const isFull = step.dataset !== undefined && selection.isFull(step.dataset.name);
      const done = await runner.run(step, at, isFull);
      if (done.changed !== null) changed.add(done.changed);
      report(at, { ...table, ...done.numbers, state: "completed", seconds: seconds() });
      log("info", `${table.name}: ${sentence(table, done)}`);
    } catch (error) {
      signal.throwIfAborted();
      const problem = runner.problemOf(error, step);
      failures.push(problem);
      for (const name of writesOf(step)) failedSources.set(name, table.name);
      report(at, { ...table, state: "failed", seconds: seconds(), error: problem.message });
      log("error", `${table.name}: ${problem.message}`);
    }
  }
  if (failures.length > 0) throw updateProblem(tables, failures);
  return { tables, changed: [...changed] };
}

function codeProblem(problems: readonly PipelineProblem[]): DataProblem {
  const messages = problems.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`);
  return new DataProblem(messages.join("\n"));
}

/** A dataset that no update has included does not exist yet. */
export function missingSource(name: string): DataProblem {
  return new DataProblem(`It reads ${name}, which does not exist yet: no update has included it so far.`);
}

const writesOf = ({ dataset, statement }: UpdateStep): readonly string[] =>
  statement ? statement.writes : [dataset.name];

const readsOf = ({ dataset, statement }: UpdateStep): readonly string[] =>
  statement ? [...statement.reads, ...statement.writes] : dataset.flows.flatMap(({ reads }) => reads);

function initialStatus(step: UpdateStep, selection: Selection): TableUpdateStatus {
  const { dataset, statement } = step;
  return {
    name: statement ? (statement.writes[0] ?? "") : dataset.name,
    kind: statement ? "statement" : dataset.kind,
    state: isNeeded(step, selection) ? "waiting" : "excluded",
    ...noNumbers,
    seconds: 0,
    error: null,
  };
}

/** A view has no rows of its own, so every update creates it. Plain statements belong to no table that could be selected. */
function isNeeded({ dataset }: UpdateStep, selection: Selection): boolean {
  if (!dataset) return selection.isEverything;
  return dataset.kind === "view" || selection.isSelected(dataset.name);
}

function sentence(table: TableUpdateStatus, { numbers, isRepeated }: StepResult): string {
  if (isRepeated) return "already completed by an earlier attempt.";
  const counts = [
    ...(numbers.rows_added > 0 ? [`${counted(numbers.rows_added, "row")} added`] : []),
    ...(numbers.rows_updated > 0 ? [`${numbers.rows_updated} updated`] : []),
    ...(numbers.rows_removed > 0 ? [`${numbers.rows_removed} removed`] : []),
    ...numbers.expectations.flatMap(({ name, action, failed: count }) =>
      count === 0 ? [] : [action === "drop" ? `${count} dropped by ${name}` : `${count} do not meet ${name}`],
    ),
  ];
  if (counts.length > 0) return `${counts.join(", ")}.`;
  return table.kind === "view" || table.kind === "statement" ? "done." : "nothing new.";
}

function updateProblem(tables: readonly TableUpdateStatus[], failures: readonly DataProblem[]): DataProblem {
  const failedTables = tables.filter(({ state }) => state === "failed");
  const skipped = tables.filter(({ state }) => state === "skipped").length;
  const messages = failedTables.map(({ name, error }) => `${name}: ${error}`);
  const skippedText = skipped > 0 ? `\n${skipped} skipped, because a table upstream failed.` : "";
  return new DataProblem(`${messages.join("\n")}${skippedText}`, {
    retryable: failures.every(({ retryable }) => retryable),
  });
}

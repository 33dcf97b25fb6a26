import type { FileLocation } from "@lakehelm/sql/pipelines";
import type { RunUpdateRequest, RunUpdateResult, TableUpdateStatus } from "../protocol/pipeline.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { authorProblem } from "./author-problem.ts";
import type { BoundStep } from "./code/bound-step.ts";
import { bindPipeline, datasetsOf } from "./code/pipeline-binding.ts";
import { type Selection, selectionOf } from "./selection.ts";
import { runStep, type StepResult, type UpdateContext } from "./update-step.ts";

/** Another run may be writing to the same table at this moment. */
const maxAttempts = 5;

/** Runs the steps of an update in order. A step that reads a failed dataset is skipped; the other steps still run. */
export async function runUpdate(
  warehouse: Warehouse,
  request: RunUpdateRequest,
  context: RequestContext,
): Promise<RunUpdateResult> {
  const { problems, steps } = await bindPipeline(warehouse, request, context.signal);
  if (problems.length > 0) {
    const messages = problems.map(
      ({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`,
    );
    throw new DataProblem(messages.join("\n"));
  }
  const update: UpdateContext = { warehouse, request, context, datasets: datasetsOf(steps) };
  const selection = selectionOf(
    request,
    steps.flatMap(({ dataset }) => (dataset ? [dataset.name] : [])),
  );
  const tables = steps.map((step) => initialStatus(step, selection));
  const changed = new Set<string>();
  const failedSources = new Map<string, string>();
  const failures: DataProblem[] = [];
  const report = (at: number, table: TableUpdateStatus) => {
    tables[at] = table;
    context.progress({ tables: [...tables] });
  };
  context.progress({ tables: [...tables] });

  for (const [at, step] of steps.entries()) {
    const table = tables[at] as TableUpdateStatus;
    if (table.state === "excluded") continue;
    const failedSource = readsOf(step).find((name) => failedSources.has(name));
    if (failedSource !== undefined) {
      for (const name of writesOf(step)) failedSources.set(name, failedSource);
      report(at, { ...table, state: "skipped", error: `It reads ${failedSource}, which failed.` });
      context.log("warn", `${table.name}: skipped, because ${failedSource} failed.`);
      continue;
    }
    report(at, { ...table, state: "running" });
    const began = performance.now();
    const seconds = () => Math.round(performance.now() - began) / 1000;
    try {
      const isFull = step.dataset !== undefined && selection.isFull(step.dataset.name);
      const done = await runWithRetries(() => runStep(update, step, at, isFull), context.signal);
      if (done.changed !== null) changed.add(done.changed);
      report(at, { ...table, ...done.numbers, state: "completed", seconds: seconds() });
      context.log("info", `${table.name}: ${sentence(table, done)}`);
    } catch (error) {
      context.signal.throwIfAborted();
      const problem = authorProblem(error, warehouse, locationOf(step));
      if (!problem) throw error;
      failures.push(problem);
      for (const name of writesOf(step)) failedSources.set(name, table.name);
      report(at, { ...table, state: "failed", seconds: seconds(), error: problem.message });
      context.log("error", `${table.name}: ${problem.message}`);
    }
  }
  if (failures.length > 0) throw updateProblem(tables, failures);
  return { tables, changed: [...changed] };
}

/** The location of a step's query. With several flows any may be the cause, so the table's location is used. */
function locationOf({ dataset, statement }: BoundStep): FileLocation {
  if (statement) return statement.location;
  const [flow, ...others] = dataset.flows;
  return flow && others.length === 0 ? flow.location : dataset.location;
}

const writesOf = ({ dataset, statement }: BoundStep): readonly string[] =>
  statement ? statement.writes : [dataset.name];

const readsOf = ({ dataset, statement }: BoundStep): readonly string[] =>
  statement ? [...statement.reads, ...statement.writes] : dataset.flows.flatMap(({ reads }) => reads);

function initialStatus(step: BoundStep, selection: Selection): TableUpdateStatus {
  const { dataset, statement } = step;
  return {
    name: statement ? (statement.writes[0] ?? "") : dataset.name,
    kind: statement ? "statement" : dataset.kind,
    state: isNeeded(step, selection) ? "waiting" : "excluded",
    rows_added: 0,
    rows_updated: 0,
    rows_removed: 0,
    expectations: [],
    rows_dropped: 0,
    seconds: 0,
    error: null,
  };
}

/** A view has no rows of its own, so every update creates it. Plain statements belong to no table that could be selected. */
function isNeeded({ dataset }: BoundStep, selection: Selection): boolean {
  if (!dataset) return selection.isEverything;
  return dataset.kind === "view" || selection.isSelected(dataset.name);
}

async function runWithRetries(run: () => Promise<StepResult>, signal: AbortSignal): Promise<StepResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === maxAttempts || !(error instanceof DataProblem && error.retryable)) throw error;
    }
  }
}

function sentence(table: TableUpdateStatus, { numbers, isRepeated }: StepResult): string {
  if (isRepeated) return "already completed by an earlier attempt.";
  const counts = [
    ...(numbers.rows_added > 0 ? [`${counted(numbers.rows_added)} added`] : []),
    ...(numbers.rows_updated > 0 ? [`${numbers.rows_updated} updated`] : []),
    ...(numbers.rows_removed > 0 ? [`${numbers.rows_removed} removed`] : []),
    ...numbers.expectations.flatMap(({ name, action, failed: count }) =>
      count === 0 ? [] : [action === "drop" ? `${count} dropped by ${name}` : `${count} do not meet ${name}`],
    ),
  ];
  if (counts.length > 0) return `${counts.join(", ")}.`;
  return table.kind === "view" || table.kind === "statement" ? "done." : "nothing new.";
}

const counted = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

function updateProblem(tables: readonly TableUpdateStatus[], failures: readonly DataProblem[]): DataProblem {
  const failedTables = tables.filter(({ state }) => state === "failed");
  const skipped = tables.filter(({ state }) => state === "skipped").length;
  const messages = failedTables.map(({ name, error }) => `${name}: ${error}`);
  const skippedText = skipped > 0 ? `\n${skipped} skipped, because a table upstream failed.` : "";
  return new DataProblem(`${messages.join("\n")}${skippedText}`, {
    retryable: failures.every(({ retryable }) => retryable),
  });
}

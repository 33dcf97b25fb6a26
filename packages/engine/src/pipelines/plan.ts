import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { PlannedTable, UpdatePlan, UpdatePlanRequest } from "../protocol/pipeline.ts";
import { databricksType } from "../protocol/types.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { BoundStep } from "./code/bound-step.ts";
import { bindPipeline } from "./code/pipeline-binding.ts";

/** The tables of a pipeline in execution order, and all problems in its code. */
export async function planPipeline(
  warehouse: Warehouse,
  request: UpdatePlanRequest,
  signal: AbortSignal,
): Promise<UpdatePlan> {
  const { problems, runtimeProblems, steps } = await bindPipeline(warehouse, request, signal);
  return { problems: [...problems, ...runtimeProblems], tables: steps.map(planned) };
}

function planned(step: BoundStep): PlannedTable {
  if (step.statement) {
    const { location, reads, writes } = step.statement;
    const about = { kind: "statement" as const, comment: null, streams: [], columns: [], expectations: [] };
    return { name: writes[0] ?? "", ...about, ...location, reads };
  }
  const { dataset, columns } = step;
  const namesOf = (pick: "reads" | "streams") => [...new Set(dataset.flows.flatMap((flow) => flow[pick]))];
  return {
    name: dataset.name,
    kind: dataset.kind,
    ...dataset.location,
    comment: dataset.comment,
    reads: namesOf("reads"),
    streams: namesOf("streams"),
    columns: columns.map(({ name, type }) => ({
      name,
      type: databricksType(type),
      from: sourcesOf(dataset, name),
    })),
    expectations: dataset.expectations.map(({ name, condition, action }) => ({ name, condition, action })),
  };
}

/** If it is unknown which of several tables a column is from, all of them are listed. */
function sourcesOf({ columns }: PipelineDataset, name: string): PlannedTable["columns"][number]["from"] {
  const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return (column?.from ?? []).flatMap((source) =>
    source.table === null
      ? source.candidates.map((table) => ({ table, column: source.column }))
      : [{ table: source.table, column: source.column }],
  );
}

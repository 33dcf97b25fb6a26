import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { PipelinePlan, PipelinePlanRequest, PlannedTable } from "../protocol/pipeline.ts";
import { databricksType } from "../protocol/types.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { BoundStep } from "./code/bound-step.ts";
import { bindPipeline } from "./code/pipeline-binding.ts";

/** What a pipeline is made of, in the order in which it runs, and everything that is wrong with it. */
export async function planPipeline(
  warehouse: Warehouse,
  asked: PipelinePlanRequest,
  signal: AbortSignal,
): Promise<PipelinePlan> {
  const { problems, runtimeProblems, steps } = await bindPipeline(warehouse, asked, signal);
  return { problems: [...problems, ...runtimeProblems], tables: steps.map(planned) };
}

function planned(step: BoundStep): PlannedTable {
  if (step.statement) {
    const { location, reads, writes } = step.statement;
    const about = { kind: "statement" as const, comment: null, streams: [], columns: [], expectations: [] };
    return { name: writes[0] ?? "", ...about, ...location, reads };
  }
  const { dataset, columns } = step;
  const of = (pick: "reads" | "streams") => [...new Set(dataset.flows.flatMap((flow) => flow[pick]))];
  return {
    name: dataset.name,
    kind: dataset.kind,
    ...dataset.location,
    comment: dataset.comment,
    reads: of("reads"),
    streams: of("streams"),
    columns: columns.map(({ name, type }) => ({
      name,
      type: databricksType(type),
      from: sourcesOf(dataset, name),
    })),
    expectations: dataset.expectations.map(({ name, condition, action }) => ({ name, condition, action })),
  };
}

/** Where it is not known which of several tables a column is from, each of them may be the one. */
function sourcesOf({ columns }: PipelineDataset, name: string): PlannedTable["columns"][number]["from"] {
  const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return (column?.from ?? []).flatMap((source) =>
    source.table === null
      ? source.candidates.map((table) => ({ table, column: source.column }))
      : [{ table: source.table, column: source.column }],
  );
}

import type { PipelineDataset, PipelinePlan } from "@lakehelm/sql/pipelines";
import type { PlannedTable, UpdatePlan } from "./pipeline.ts";

/** The part of a plan that the code alone determines: everything but the types of columns. */
export const plannedUpdate = ({ problems, steps = [] }: PipelinePlan): UpdatePlan => ({
  problems: problems ?? [],
  tables: steps.map(plannedTable),
});

type PlannedStep = NonNullable<PipelinePlan["steps"]>[number];

export function plannedTable({ dataset, statement }: PlannedStep): PlannedTable {
  if (statement) {
    const { location, reads, writes } = statement;
    const about = { kind: "statement" as const, comment: null, streams: [], columns: [], expectations: [] };
    return { name: writes[0] ?? "", ...about, ...location, reads };
  }
  const namesOf = (pick: "reads" | "streams") => [...new Set(dataset.flows.flatMap((flow) => flow[pick]))];
  return {
    name: dataset.name,
    kind: dataset.kind,
    ...dataset.location,
    comment: dataset.comment,
    reads: namesOf("reads"),
    streams: namesOf("streams"),
    columns: dataset.columns.map((column) => ({ name: column.name, type: null, from: sourcesOf(column) })),
    expectations: dataset.expectations.map(({ name, condition, action }) => ({ name, condition, action })),
  };
}

/** If it is unknown which of several tables a column is from, all of them are listed. */
const sourcesOf = ({ from }: PipelineDataset["columns"][number]): PlannedTable["columns"][number]["from"] =>
  from.flatMap((source) =>
    source.table === null
      ? source.candidates.map((table) => ({ table, column: source.column }))
      : [{ table: source.table, column: source.column }],
  );

import type { PipelineCode, PlannedTable, UpdatePlan } from "@lakehelm/engine";
import { loadSqlParser } from "@lakehelm/sql";
import { sqlName, type TableName } from "@lakehelm/sql/names";
import { type PipelineDataset, type PipelinePlan, planPipeline } from "@lakehelm/sql/pipelines";
import type { WorkSession } from "../work/work-session.ts";

export type PipelineStep = NonNullable<PipelinePlan["steps"]>[number];

/** From `catalog.schema.table`: Hive's metastore has no names with dots. */
export function tableNameOf(name: string): TableName {
  const [catalog = "", schema = "", table = ""] = name.split(".");
  return { catalog, schema, table };
}

/** Reads the code twice: first to find the tables that it reads, then with their columns. */
export async function readPipeline(
  session: WorkSession,
  { scope: { catalog, schema }, sources, configuration }: PipelineCode,
): Promise<PipelinePlan> {
  const parser = await loadSqlParser();
  const rules = { catalog, schema, configuration, tables: new Map<string, readonly string[]>() };
  const draft = planPipeline(parser, sources, { ...rules, othersExist: true });
  if (draft.problems) return draft;
  for (const name of draft.others) {
    const columns = await session.tableColumns(sqlName(tableNameOf(name)));
    if (columns)
      rules.tables.set(
        name,
        columns.map((column) => column.name),
      );
  }
  return planPipeline(parser, sources, rules);
}

/** The plan for callers. The types of columns are known to the cluster, once the tables exist. */
export function plannedUpdate({ problems, steps = [] }: PipelinePlan): UpdatePlan {
  return { problems: problems ?? [], tables: steps.map(planned) };
}

function planned({ dataset, statement }: PipelineStep): PlannedTable {
  if (statement) {
    const about = { kind: "statement" as const, comment: null, streams: [], columns: [], expectations: [] };
    return { name: statement.writes[0] ?? "", ...about, ...statement.location, reads: statement.reads };
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

const sourcesOf = ({ from }: PipelineDataset["columns"][number]): PlannedTable["columns"][number]["from"] =>
  from.flatMap((source) =>
    source.table === null
      ? source.candidates.map((table) => ({ table, column: source.column }))
      : [{ table: source.table, column: source.column }],
  );

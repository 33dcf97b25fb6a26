import type { PipelineCode } from "@lakehelm/engine";
import { loadSqlParser } from "@lakehelm/sql";
import { sqlName, type TableName } from "@lakehelm/sql/names";
import { type PipelinePlan, planPipeline } from "@lakehelm/sql/pipelines";
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

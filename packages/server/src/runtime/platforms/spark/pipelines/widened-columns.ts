import { pipelineRefreshAdvice } from "@lakehelm/contract/changes";
import { DataProblem } from "@lakehelm/engine";
import { wideningStatements } from "@lakehelm/engine/delta-alteration";
import { plainName, type TableName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { UpdateSources } from "./sources.ts";
import type { TypedColumn } from "./table-content.ts";

/**
 * Widens the columns of a dataset's table to the wanted types, and returns its columns. Delta reads the files of the
 * narrower types as the wider ones. Throws a DataProblem if a column would not keep its values: nothing is rounded.
 */
export async function widenColumns(
  { session, pipeline, log }: UpdateSources,
  { name: dataset }: Pick<PipelineDataset, "name">,
  storage: TableName,
  existing: readonly TypedColumn[],
  wanted: readonly TypedColumn[],
): Promise<TypedColumn[]> {
  const columns: TypedColumn[] = [];
  for (const column of existing) {
    const { name, type } = column;
    const to = wanted.find((one) => one.name.toLowerCase() === name.toLowerCase())?.type ?? type;
    const statements = wideningStatements(storage, name, type, to);
    if (!statements)
      throw new DataProblem(
        `The type of the column ${name} of ${dataset} would change from ${type} to ${to}. ${pipelineRefreshAdvice(pipeline, dataset)}`,
      );
    if (statements.length > 0)
      log(
        `change the column ${name} of ${plainName(storage)} from ${type} to ${to}, because the source now has ${to}.`,
      );
    for (const sql of statements) await session.rows(sql);
    columns.push(statements.length > 0 ? { ...column, type: to } : column);
  }
  return columns;
}

import { DataProblem } from "@lakehelm/engine";
import type { SparkColumn } from "@lakehelm/spark-connect";
import { plainName, quoteIdentifier, sqlName, sqlString, type TableName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { WorkSession } from "../work/work-session.ts";

/** What the cluster has of a dataset. */
export interface ExistingTable {
  readonly columns: readonly SparkColumn[];
  readonly properties: ReadonlyMap<string, string>;
}

const [owner, kindProperty, tags] = ["lakehelm.pipeline", "lakehelm.kind", "lakehelm.tags"];

/** Whether a pipeline exists: the tables of a deleted one belong to nobody. */
export type PipelineExists = (id: string) => Promise<boolean>;

/** The table of a dataset; undefined if there is none. Throws if it is somebody else's. */
export async function ownTable(
  session: WorkSession,
  pipeline: string,
  storage: TableName,
  { name, kind }: Pick<PipelineDataset, "name" | "kind">,
  pipelineExists: PipelineExists,
): Promise<ExistingTable | undefined> {
  const columns = await session.tableColumns(sqlName(storage));
  if (!columns) return undefined;
  const rows = await session.rows(`SHOW TBLPROPERTIES ${sqlName(storage)}`);
  const properties = new Map(rows.map(([key, value]) => [String(key), String(value)]));
  const of = properties.get(owner);
  const exists = `The table ${plainName(storage)} already exists and`;
  if (of === undefined)
    throw new DataProblem(`${exists} was not created by a pipeline: choose another name, or drop it.`);
  if (of !== pipeline && (await pipelineExists(of)))
    throw new DataProblem(`${exists} belongs to the pipeline ${of}: choose another name.`);
  const before = properties.get(kindProperty);
  if (before !== undefined && before !== kind && of === pipeline)
    throw new DataProblem(
      `${name} was a ${before.replace("_", " ")} and is now a ${kind.replace("_", " ")}: drop the table first, or choose another name.`,
    );
  return { columns, properties };
}

/** Creates a table with its rows in one commit, or replaces it. Tags stay. */
export function createWithRows(
  pipeline: string,
  storage: TableName,
  dataset: PipelineDataset,
  query: string,
  before: ExistingTable | undefined,
): string {
  const kept = before?.properties.get(tags);
  const properties = {
    ...dataset.properties,
    ...(needsMapping(dataset) && { "delta.columnMapping.mode": "name" }),
    ...(kept !== undefined && { [tags]: kept }),
    [owner]: pipeline,
    [kindProperty]: dataset.kind,
  };
  const listed = Object.entries(properties).map(([key, value]) => `${sqlString(key)} = ${sqlString(value)}`);
  return [
    `CREATE OR REPLACE TABLE ${sqlName(storage)}`,
    "USING DELTA",
    ...(dataset.clusterBy.length > 0
      ? [`CLUSTER BY (${dataset.clusterBy.map(quoteIdentifier).join(", ")})`]
      : []),
    ...(dataset.comment ? [`COMMENT ${sqlString(dataset.comment)}`] : []),
    `TBLPROPERTIES (${listed.join(", ")})`,
    `AS ${query}`,
  ].join("\n");
}

/** Parquet accepts these characters in names only with Delta's column mapping. */
const needsMapping = ({ columns }: PipelineDataset): boolean =>
  columns.some(({ name }) => /[ ,;{}()\n\t=]/.test(name));

/** Sets the descriptions of columns that the head of a dataset declares, where they differ. */
export async function describeColumns(
  session: WorkSession,
  storage: TableName,
  { declared }: PipelineDataset,
): Promise<void> {
  if (declared.every(({ comment }) => comment === null)) return;
  const columns = (await session.tableColumns(sqlName(storage))) ?? [];
  for (const { name, comment } of declared) {
    const known = columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!known || comment === null || known.comment === comment) continue;
    await session.rows(
      `ALTER TABLE ${sqlName(storage)} ALTER COLUMN ${quoteIdentifier(known.name)} COMMENT ${sqlString(comment)}`,
    );
  }
}

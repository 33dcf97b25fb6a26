import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { sqlName, type TableName } from "../../warehouse/names.ts";
import { eventStorage } from "../storage.ts";

/** Internal tables of a flow. With them, events can come in any order. */
const eventTableKinds = ["latest", "truncated", "events"] as const;

/** The names of these tables. */
export type EventTables = (kind: (typeof eventTableKinds)[number]) => TableName;

export const eventTables =
  (pipeline: string, dataset: Pick<PipelineDataset, "table">): EventTables =>
  (kind) =>
    eventStorage(pipeline, dataset, kind);

export async function dropEventTables(
  connection: DuckDBConnection,
  pipeline: string,
  dataset: Pick<PipelineDataset, "table">,
): Promise<void> {
  const tables = eventTables(pipeline, dataset);
  for (const kind of eventTableKinds) await connection.run(`DROP TABLE IF EXISTS ${sqlName(tables(kind))}`);
}

import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { sqlName } from "../../warehouse/names.ts";
import { eventStorage } from "../storage.ts";

/** What an AUTO CDC flow stores for itself, so that a late event is still applied in its order. */
const kept = ["latest", "truncated", "events"] as const;

/** The SQL name of one of these tables. */
export type EventTable = (what: (typeof kept)[number]) => string;

export const eventTables =
  (pipeline: string, dataset: Pick<PipelineDataset, "table">): EventTable =>
  (what) =>
    sqlName(eventStorage(pipeline, dataset, what));

export async function dropEventTables(
  connection: DuckDBConnection,
  pipeline: string,
  dataset: Pick<PipelineDataset, "table">,
): Promise<void> {
  const table = eventTables(pipeline, dataset);
  for (const what of kept) await connection.run(`DROP TABLE IF EXISTS ${table(what)}`);
}

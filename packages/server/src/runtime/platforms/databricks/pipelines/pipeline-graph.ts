import type { PipelineGraph } from "@lakehelm/contract";
import { conflict } from "../../../../core/errors.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { completionOf, eventsOf } from "./update-log.ts";
import { readsOf, tablesOf } from "./update-tables.ts";
import { readPipeline } from "./workspace-pipelines.ts";

/**
 * The tables of a pipeline and what they read, from the log of its last update: nothing else in a workspace has them.
 */
export async function pipelineGraph(client: WorkspaceClient, pipelineId: string): Promise<PipelineGraph> {
  const pipeline = await readPipeline(client, pipelineId);
  const updateId = pipeline?.latest_updates?.[0]?.update_id;
  if (!pipeline || updateId === undefined) {
    throw conflict(
      "The workspace knows the tables of a pipeline by its updates, and it has none yet. Start one with validate_only.",
    );
  }
  const complete = completionOf(pipeline);
  const events = await eventsOf(client, pipelineId, updateId);
  const reads = readsOf(events, complete);
  const kinds = new Map(tablesOf(events, complete).map(({ name, kind }) => [name, kind]));
  const tables = [...new Set([...reads.keys(), ...kinds.keys()])].map((name) => ({
    name,
    kind: kinds.get(name) ?? ("materialized_view" as const),
    path: "",
    line: 0,
    column: 0,
    comment: null,
    reads: [...(reads.get(name) ?? [])],
    streams: [],
    columns: [],
    expectations: [],
  }));
  return { problems: [], tables };
}

import type { PipelineGraph, PipelineResponse, PipelineUpdate } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, readAgain, useQuery } from "../app/queries.ts";
import { listQuery } from "./list-query.ts";

/** A pipeline as the API returns it: its state, and the fields of its specification that the pages use. */
export type Pipeline = Pick<PipelineResponse, "pipeline_id" | "name" | "health" | "stopped"> & {
  readonly environment_id: string;
  readonly libraries: readonly {
    readonly file?: { readonly path?: string };
    readonly notebook?: { readonly path?: string };
  }[];
  readonly root_path?: string;
  readonly continuous: boolean;
  /** Why the pipeline has no job. */
  readonly error_message: string | null;
  readonly latest_updates: readonly UpdateSummary[] | null;
};

export type UpdateSummary = Pick<
  PipelineUpdate,
  | "update_id"
  | "state"
  | "cause"
  | "full_refresh"
  | "validate_only"
  | "creation_time"
  | "start_time"
  | "end_time"
  | "error"
>;

const changes = [{ kind: "pipeline.*" }, { kind: "run.*" }];

export function usePipelines(environment: string | undefined, search: string | undefined) {
  return useQuery({
    key: ["pipelines", environment, search],
    read: async (signal) => {
      const query = { ...listQuery({ environment, search }), sort: "name" as const };
      const { pipelines, total } = await api.listPipelines({ query, signal });
      return { pipelines: pipelines as unknown as readonly Pipeline[], total };
    },
    on: changes,
  });
}

export function usePipeline(id: string): QueryResult<Pipeline> {
  return useQuery({
    key: ["pipeline", id],
    read: async (signal) =>
      (await api.getPipeline({ params: { pipeline_id: id }, signal })) as unknown as Pipeline,
    on: changes,
  });
}

/** Up to this many tables, their types are read at once. */
const fewTables = 100;

/**
 * The tables of the current files. Reading the types of large pipelines takes long, so they are read only if needed.
 */
export function usePipelineGraph(id: string, needsTypes: boolean): QueryResult<PipelineGraph> {
  const text = useGraph(id, false, true);
  const size = text.data?.tables.length;
  const whole = useGraph(id, true, needsTypes || (size !== undefined && size <= fewTables));
  return whole.data || whole.error ? whole : text;
}

const useGraph = (id: string, types: boolean, enabled: boolean): QueryResult<PipelineGraph> =>
  useQuery({
    key: ["pipeline-graph", id, types],
    read: (signal) => api.getPipelineGraph({ params: { pipeline_id: id }, query: { types }, signal }),
    on: [{ kind: "pipeline.*", subject: `pipeline/${id}` }, { kind: "file.*" }],
    enabled,
  });

/** Call after a change by this page. */
export const refreshPipelines = (): void =>
  readAgain(({ queryKey }) => String(queryKey[0]).startsWith("pipeline"));

export function useUpdate(id: string, updateId: string | undefined): QueryResult<PipelineUpdate> {
  return useQuery({
    key: ["pipeline-update", id, updateId],
    read: (signal) =>
      api.getPipelineUpdate({ params: { pipeline_id: id, update_id: updateId ?? "" }, signal }),
    enabled: updateId !== undefined,
    on: [{ kind: "run.*", subject: `run/${updateId}` }],
    keepsPrevious: true,
  });
}

/** The newest updates, with their effect on every table. */
export function useUpdates(id: string, limit: number, enabled = true) {
  return useQuery({
    key: ["pipeline-updates", id, limit],
    read: (signal) => api.listPipelineUpdates({ params: { pipeline_id: id }, query: { limit }, signal }),
    on: [{ kind: "run.*" }],
    enabled,
  });
}

/** The page of updates after a cursor. These updates have ended, so they are read once. */
export const olderUpdates = (id: string, cursor: string, limit: number) =>
  api.listPipelineUpdates({ params: { pipeline_id: id }, query: { limit, cursor } });

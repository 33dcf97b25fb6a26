import type { Run } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, queryClient, useQuery } from "../app/queries.ts";

export interface RunFilter {
  readonly environment?: string | undefined;
  readonly status?: Run["status"] | undefined;
  readonly search?: string | undefined;
  readonly job?: string | undefined;
  readonly created_after?: string | undefined;
  /** Older than the run with this id. */
  readonly before?: string | undefined;
}

const defined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  ) as never;

const pageSize = 100;

/** The newest runs, newest first. */
export function useRuns(filter: RunFilter, limit = pageSize, enabled = true) {
  return useQuery({
    key: ["runs", filter, limit],
    read: (signal) => api.listRuns({ query: defined({ ...filter, limit }), signal }),
    enabled,
    on: [{ kind: "run.*" }],
  });
}

/** The page of runs after a cursor. They have ended, or their own pages keep them current, so they are read once. */
export const olderRuns = (filter: RunFilter, cursor: string, limit = pageSize) =>
  api.listRuns({ query: defined({ ...filter, cursor, limit }) });

/** A page for `useOlder`. */
export const pageOfRuns = (page: { readonly runs: readonly Run[]; readonly next_cursor: string | null }) => ({
  items: page.runs,
  cursor: page.next_cursor,
});

export function useRun(id: string): QueryResult<Run> {
  return useQuery({
    key: ["run", id],
    read: (signal) => api.getRun({ params: { run_id: id }, signal }),
    on: [{ kind: "run.*", subject: `run/${id}` }],
  });
}

/** Call after a change by this page. */
export function refreshRuns(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ["runs", "run"].includes(String(queryKey[0])),
  });
}

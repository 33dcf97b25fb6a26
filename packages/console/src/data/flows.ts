import type { Flow } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, queryClient, useQuery } from "../app/queries.ts";
import { type ListFilter, listQuery } from "./list-query.ts";

export type FlowFilter = ListFilter<Flow["status"]>;

/** The flows by name. The server filters. */
export function useFlows(filter: FlowFilter) {
  return useQuery({
    key: ["flows", filter.environment, filter.status, filter.search],
    read: (signal) =>
      api.listFlows({
        query: { ...listQuery(filter), sort: "name" },
        signal,
      }),
    on: [{ kind: "flow.*" }, { kind: "run.*" }],
  });
}

export function useFlow(id: string): QueryResult<Flow> {
  return useQuery({
    key: ["flow", id],
    read: (signal) => api.getFlow({ params: { flow_id: id }, signal }),
    on: [{ kind: "flow.*", subject: `flow/${id}` }, { kind: "run.*" }],
  });
}

/** Stores the answer to a change by this page. */
export const setFlow = (flow: Flow): void => void queryClient.setQueryData(["flow", flow.id], flow);

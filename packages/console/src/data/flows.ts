import type { Flow } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, queryClient, useQuery } from "../app/queries.ts";

export interface FlowFilter {
  readonly environment?: string | undefined;
  readonly status?: Flow["status"] | undefined;
  readonly search?: string | undefined;
}

/** The flows by name. The server filters. */
export function useFlows({ environment, status, search }: FlowFilter) {
  return useQuery({
    key: ["flows", environment, status, search],
    read: (signal) =>
      api.listFlows({
        query: {
          limit: 1000,
          sort: "name",
          ...(environment && { environment }),
          ...(status && { status }),
          ...(search && { search }),
        },
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

/** The answer to a change that this page has made itself. */
export const setFlow = (flow: Flow): void => void queryClient.setQueryData(["flow", flow.id], flow);

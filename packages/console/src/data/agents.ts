import type { Agent } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";

export function useAgents(search: string | undefined) {
  return useQuery({
    key: ["agents", search],
    read: (signal) =>
      api.listAgents({ query: { limit: 1000, sort: "name", ...(search && { search }) }, signal }),
    on: [{ kind: "agent.*" }],
  });
}

export function useAgent(id: string): QueryResult<Agent> {
  return useQuery({
    key: ["agent", id],
    read: (signal) => api.getAgent({ params: { agent_id: id }, signal }),
    on: [{ kind: "agent.*", subject: `agent/${id}` }],
  });
}

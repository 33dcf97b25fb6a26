import type { Connector } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";

export interface ConnectorFilter {
  readonly environment?: string | undefined;
  readonly status?: Connector["status"] | undefined;
  readonly search?: string | undefined;
}

/** The connectors by name. The server filters. */
export function useConnectors({ environment, status, search }: ConnectorFilter) {
  return useQuery({
    key: ["connectors", environment, status, search],
    read: (signal) =>
      api.listConnectors({
        query: {
          limit: 1000,
          sort: "name",
          ...(environment && { environment }),
          ...(status && { status }),
          ...(search && { search }),
        },
        signal,
      }),
    on: [{ kind: "connector.*" }, { kind: "run.*" }],
  });
}

export function useConnector(id: string): QueryResult<Connector> {
  return useQuery({
    key: ["connector", id],
    read: (signal) => api.getConnector({ params: { connector_id: id }, signal }),
    on: [{ kind: "connector.*", subject: `connector/${id}` }, { kind: "run.*" }],
  });
}

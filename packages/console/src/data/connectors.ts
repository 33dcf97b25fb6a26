import type { Connector } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";
import { type ListFilter, listQuery } from "./list-query.ts";

export type ConnectorFilter = ListFilter<Connector["status"]>;

/** The connectors by name. The server filters. */
export function useConnectors(filter: ConnectorFilter) {
  return useQuery({
    key: ["connectors", filter.environment, filter.status, filter.search],
    read: (signal) =>
      api.listConnectors({
        query: { ...listQuery(filter), sort: "name" },
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

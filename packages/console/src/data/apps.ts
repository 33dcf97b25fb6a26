import type { App } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";
import { type ListFilter, listQuery } from "./list-query.ts";

type AppFilter = ListFilter<App["observed_state"]>;

export function useApps(filter: AppFilter) {
  return useQuery({
    key: ["apps", filter.environment, filter.status, filter.search],
    read: (signal) =>
      api.listApps({
        query: { ...listQuery(filter), sort: "name" },
        signal,
      }),
    on: [{ kind: "app.*" }],
  });
}

export function useApp(id: string): QueryResult<App> {
  return useQuery({
    key: ["app", id],
    read: (signal) => api.getApp({ params: { app_id: id }, signal }),
    on: [{ kind: "app.*", subject: `app/${id}` }],
  });
}

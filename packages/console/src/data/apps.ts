import type { App } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";

interface AppFilter {
  readonly environment?: string | undefined;
  readonly status?: App["observed_state"] | undefined;
  readonly search?: string | undefined;
}

export function useApps({ environment, status, search }: AppFilter) {
  return useQuery({
    key: ["apps", environment, status, search],
    read: (signal) =>
      api.listApps({
        query: {
          limit: 1000,
          sort: "name",
          ...(environment && { environment }),
          ...(status && { status }),
          ...(search && { search }),
        },
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

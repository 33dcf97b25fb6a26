import type { DeploymentResponse } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";
import { type ListFilter, listQuery } from "./list-query.ts";

export type Deployment = DeploymentResponse;

type DeploymentFilter = ListFilter<Deployment["status"]>;

const on = [{ kind: "deployment.*" }];

/** The newest deployments, newest first. */
export function useDeployments(filter: DeploymentFilter) {
  return useQuery({
    key: ["deployments", filter.environment, filter.status, filter.search],
    read: (signal) =>
      api.listDeployments({
        query: { ...listQuery(filter), sort: "-created" },
        signal,
      }),
    on,
  });
}

export function useDeployment(id: string): QueryResult<Deployment> {
  return useQuery({
    key: ["deployment", id],
    read: (signal) => api.getDeployment({ params: { deployment_id: id }, signal }),
    on: [{ kind: "deployment.*", subject: `deployment/${id}` }],
  });
}

export function useDeploymentLog(id: string) {
  return useQuery({
    key: ["deployment log", id],
    read: (signal) => api.getDeploymentLog({ params: { deployment_id: id }, signal }),
    on: [{ kind: "deployment.*", subject: `deployment/${id}` }],
  });
}

/** The previous deployment to the same environment; null: there is none. */
export function useDeploymentBefore({ id, environment_id, created_at }: Deployment) {
  return useQuery({
    key: ["deployment before", id],
    read: async (signal) => {
      const { deployments } = await api.listDeployments({
        query: { environment: environment_id, created_before: created_at, sort: "-created", limit: 1 },
        signal,
      });
      return deployments[0] ?? null;
    },
    on,
  });
}

import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";
import { refreshSession } from "../app/session.ts";

const on = [{ kind: "environment.*" }];

/** The environments by name. */
export function useEnvironments(search: string | undefined, status: "active" | "inactive" | undefined) {
  return useQuery({
    key: ["environments", search, status],
    read: (signal) =>
      api.listEnvironments({
        query: { limit: 1000, sort: "name", ...(search && { search }), ...(status && { status }) },
        signal,
      }),
    on,
  });
}

/** An environment with its version, so that a change does not overwrite a change by another user. */
export function useEnvironment(id: string) {
  return useQuery({
    key: ["environment", id],
    read: (signal) => api.withResponse.getEnvironment({ params: { environment_id: id }, signal }),
    on,
  });
}

/** The environment's deployments and releases. */
export function useEnvironmentSummary(id: string) {
  return useQuery({
    key: ["environment summary", id],
    read: (signal) => api.getEnvironmentSummary({ params: { environment_id: id }, signal }),
    on: [{ kind: "environment.reconciled" }, { kind: "deployment.*" }],
  });
}

/** The users who have an explicit role in the environment. */
export function useEnvironmentRoles(id: string, enabled: boolean) {
  return useQuery({
    key: ["environment roles", id],
    read: (signal) => api.listEnvironmentRoles({ params: { environment_id: id }, signal }),
    enabled,
    on,
  });
}

/** Call after a change by this page. The session also contains the environments. */
export function refreshEnvironments(): void {
  void refreshSession();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith("environment"),
  });
}

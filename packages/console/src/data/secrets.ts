import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";

const on = [{ kind: "secret.*" }];

/** The scopes that have a secret in an environment. */
export function useSecretScopes(environment: string, search: string | undefined, enabled: boolean) {
  return useQuery({
    key: ["secret scopes", environment, search],
    read: (signal) =>
      api.listSecretScopes({ environment, query: { limit: 1000, ...(search && { search }) }, signal }),
    enabled,
    on,
  });
}

/** The names of a scope's secrets. The API never returns their values. */
export function useSecrets(environment: string, scope: string | undefined) {
  return useQuery({
    key: ["secrets", environment, scope],
    read: (signal) => api.listSecrets({ params: { scope: scope ?? "" }, environment, signal }),
    enabled: scope !== undefined,
    on,
  });
}

/** Call after a change by this page. */
export function refreshSecrets(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ["secret scopes", "secrets"].includes(String(queryKey[0])),
  });
}

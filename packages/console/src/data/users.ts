import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";

interface UserFilter {
  readonly search?: string | undefined;
  readonly status?: "active" | "inactive" | undefined;
}

/** The users by name. Only admins may read them. */
export function useUsers({ search, status }: UserFilter, enabled: boolean) {
  return useQuery({
    key: ["users", search, status],
    read: (signal) =>
      api.listUsers({
        query: { limit: 1000, sort: "name", ...(search && { search }), ...(status && { status }) },
        signal,
      }),
    enabled,
    on: [{ kind: "user.*" }],
  });
}

/** The personal access tokens of a user, newest first, without their values. */
export function useTokens(userId: string | undefined) {
  return useQuery({
    key: ["tokens", userId],
    read: (signal) =>
      api.listTokens({
        params: { user_id: userId ?? "" },
        query: { limit: 1000, sort: "-created" },
        signal,
      }),
    enabled: userId !== undefined,
    on: [{ kind: "token.*" }],
  });
}

/** Call after a change by this page. */
export function refreshUsers(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ["users", "tokens"].includes(String(queryKey[0])),
  });
}

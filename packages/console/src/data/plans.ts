import type { PlanOverview } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";

interface PlanFilter {
  readonly environment?: string | undefined;
  readonly status?: PlanOverview["status"] | undefined;
  readonly search?: string | undefined;
}

/** The plans, newest first, without their steps. */
export function usePlans({ environment, status, search }: PlanFilter) {
  return useQuery({
    key: ["plans", environment, status, search],
    read: (signal) =>
      api.listPlans({
        query: {
          limit: 1000,
          sort: "-created",
          ...(environment && { environment }),
          ...(status && { status }),
          ...(search && { search }),
        },
        signal,
      }),
    on: [{ kind: "plan.*" }],
  });
}

/** A plan with its steps. */
export function usePlan(id: string) {
  return useQuery({
    key: ["plan", id],
    read: (signal) => api.getPlan({ params: { plan_id: id }, signal }),
    on: [{ kind: "plan.*", subject: `plan/${id}` }],
  });
}

/** After a change that this page has made itself. */
export function refreshPlans(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ["plans", "plan"].includes(String(queryKey[0])),
  });
}

import type { PlanOverview } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";
import { type ListFilter, listQuery } from "./list-query.ts";

type PlanFilter = ListFilter<PlanOverview["status"]>;

/** The plans, newest first, without their steps. */
export function usePlans(filter: PlanFilter) {
  return useQuery({
    key: ["plans", filter.environment, filter.status, filter.search],
    read: (signal) =>
      api.listPlans({
        query: { ...listQuery(filter), sort: "-created" },
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

/** Call after a change by this page. */
export function refreshPlans(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ["plans", "plan"].includes(String(queryKey[0])),
  });
}

import type { Drift } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { queryClient, useQuery } from "../app/queries.ts";
import { listQuery } from "./list-query.ts";

interface DriftFilter {
  readonly environment?: string | undefined;
  readonly kind?: Drift["kind"] | undefined;
  readonly search?: string | undefined;
}

/** The resources that differ from their definitions, oldest first. */
export function useDrift({ environment, kind, search }: DriftFilter) {
  return useQuery({
    key: ["drift", environment, kind, search],
    read: (signal) =>
      api.listDrift({
        query: { ...listQuery({ environment, search }), ...(kind && { kind }) },
        signal,
      }),
    on: [{ kind: "drift.*" }],
  });
}

/** Call after a change by this page. */
export const refreshDrift = (): void => void queryClient.invalidateQueries({ queryKey: ["drift"] });

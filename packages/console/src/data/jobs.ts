import type { Job } from "@lakehelm/contract";
import { api } from "../app/client.ts";
import { type QueryResult, useQuery } from "../app/queries.ts";

const on = [
  { kind: "job.*" },
  { kind: "run.*" },
  { kind: "connector.*" },
  { kind: "flow.*" },
  { kind: "pipeline.*" },
];

/** The jobs of an environment, or of all: their state, pause, failures and next time. */
export function useJobs(environment: string | undefined) {
  return useQuery({
    key: ["jobs", environment],
    read: (signal) => api.listJobs({ query: { limit: 1000, ...(environment && { environment }) }, signal }),
    on,
  });
}

export function useJob(id: string | null | undefined): QueryResult<Job> {
  return useQuery({
    key: ["job", id],
    read: (signal) => api.getJob({ params: { job_id: id ?? "" }, signal }),
    enabled: typeof id === "string",
    on,
  });
}

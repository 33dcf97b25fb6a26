import { api } from "../app/client.ts";
import { useQuery } from "../app/queries.ts";

const on = ["job", "run", "connector", "flow", "pipeline", "automation", "environment", "disk"].map(
  (kind) => ({
    kind: `${kind}.*`,
  }),
);

/** The state of all resources of an environment, or of all environments. */
export function useOverview(environment: string | undefined) {
  return useQuery({
    key: ["overview", environment],
    read: (signal) => api.getOverview({ query: { ...(environment && { environment }) }, signal }),
    on,
  });
}

/** The resources that depend on a job. */
export function useDownstream(jobId: string, enabled: boolean) {
  return useQuery({
    key: ["downstream", jobId],
    read: (signal) => api.getJobDownstream({ params: { job_id: jobId }, signal }),
    enabled,
    on,
  });
}

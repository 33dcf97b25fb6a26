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

export function useJob(id: string | null | undefined): QueryResult<Job> {
  return useQuery({
    key: ["job", id],
    read: (signal) => api.getJob({ params: { job_id: id ?? "" }, signal }),
    enabled: typeof id === "string",
    on,
  });
}

import type { Job, Run } from "@lakehelm/contract";
import type { Executor } from "./executor.ts";

/** Does the work of a run by the kind of its job; each kind is told by the noun that has such jobs. */
export interface Executors extends Required<Executor> {
  register(kind: Job["kind"], execute: Executor["execute"], abandon?: (run: Run) => Promise<void>): void;
}

export function createExecutors(): Executors {
  const known = new Map<Job["kind"], Pick<Executor, "execute"> & { abandon?(run: Run): Promise<void> }>();
  return {
    register: (kind, execute, abandon) => void known.set(kind, { execute, ...(abandon && { abandon }) }),
    async execute(run, job, working) {
      const noun = known.get(job.kind);
      if (!noun) throw new Error(`Jobs of the kind ${job.kind} cannot be run here.`);
      return noun.execute(run, job, working);
    },
    abandon: async (run) => known.get(kindOf(run))?.abandon?.(run),
  };
}

/** By the id of its job, `connector-<id>`: the job itself may be gone. */
const kindOf = ({ job_id }: Pick<Run, "job_id">) => job_id.slice(0, job_id.indexOf("-")) as Job["kind"];

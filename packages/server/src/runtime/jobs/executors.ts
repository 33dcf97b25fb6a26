import type { Job, Run } from "@lakehelm/contract";
import type { Executor } from "./executor.ts";

/** The executors by the kind of job that they run. */
export type Executors = Readonly<Partial<Record<Job["kind"], Executor>>>;

/** Runs each job with the executor of its kind. */
export function executeByKind(executors: () => Executors): Required<Executor> {
  return {
    async execute(run, job, control) {
      const executor = executors()[job.kind];
      if (!executor) throw new Error(`This server has no executor for jobs of the kind ${job.kind}.`);
      return executor.execute(run, job, control);
    },
    checkParameters: async (job, parameters) => executors()[job.kind]?.checkParameters?.(job, parameters),
    abandon: async (run) => executors()[kindOf(run)]?.abandon?.(run),
  };
}

/** From the id of its job, `connector-<id>`: the job itself may be deleted already. */
const kindOf = ({ job_id }: Pick<Run, "job_id">) => job_id.slice(0, job_id.indexOf("-")) as Job["kind"];

import type { Job, Run } from "@lakehelm/contract";
import type { Executor } from "./executor.ts";

/** The executors by the kind of job that they run. */
export type Executors = Readonly<Partial<Record<Job["kind"], Executor>>>;

/** The executor of the jobs that another system runs, by environment; undefined if there is none. */
export type RemoteExecutor = (environmentId: string) => Promise<Executor | undefined>;

/** Runs each job with the executor of its kind, unless another system runs it. */
export function executeByKind(
  executors: () => Executors,
  remote: RemoteExecutor = async () => undefined,
): Required<Executor> {
  return {
    async execute(run, job, control) {
      const executor = job.reference === null ? executors()[job.kind] : await remote(job.environmentId);
      if (!executor) throw new Error(`This server has no executor for jobs of the kind ${job.kind}.`);
      return executor.execute(run, job, control);
    },
    async checkParameters(job, parameters) {
      await executors()[job.kind]?.checkParameters?.(job, parameters);
      // Parameters that are valid here may still not be possible in another system.
      const elsewhere = job.reference === null ? undefined : await remote(job.environmentId);
      await elsewhere?.checkParameters?.(job, parameters);
    },
    async abandon(run) {
      await (await remote(run.environment_id))?.abandon?.(run);
      await executors()[kindOf(run)]?.abandon?.(run);
    },
  };
}

/** The kind comes from the id of the job, `connector-<id>`: the job itself may be deleted already. */
const kindOf = ({ job_id }: Pick<Run, "job_id">) => job_id.slice(0, job_id.indexOf("-")) as Job["kind"];

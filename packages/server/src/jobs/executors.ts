import type { Job } from "@lakehelm/contract";
import type { Executor } from "./executor.ts";

/** Does the work of a run by the kind of its job; each kind is told by the noun that has such jobs. */
export interface Executors extends Executor {
  register(kind: Job["kind"], execute: Executor["execute"]): void;
}

export function createExecutors(): Executors {
  const known = new Map<Job["kind"], Executor["execute"]>();
  return {
    register: (kind, execute) => void known.set(kind, execute),
    async execute(run, job, working) {
      const execute = known.get(job.kind);
      if (!execute) throw new Error(`Jobs of the kind ${job.kind} cannot be run here.`);
      return execute(run, job, working);
    },
  };
}

import type { Run } from "@lakehelm/contract";
import { callProblem, type FindReleasedCalls, maxCallDepth } from "../call-graph.ts";
import { PermanentError } from "./permanent-error.ts";

/** What a call of another automation is checked against. */
export interface CallCheck {
  readonly find: FindReleasedCalls;
  readonly run: (id: string) => Promise<Run | undefined>;
}

/**
 * Throws if a run must not call this automation. Releases may have changed since validation: both the current releases
 * and the runs that wait for this one are checked. A cycle would wait for itself forever.
 */
export async function requireCallable(
  { calls }: { readonly calls: CallCheck },
  run: Run,
  called: string,
  environment: { readonly id: string },
): Promise<void> {
  const callee = await calls.find(called, environment.id);
  if (!callee) return;
  const own = { jobId: run.job_id, alias: run.name ?? run.job_id };
  const problem = await callProblem(own, called, environment.id, calls.find);
  if (problem !== undefined) throw new PermanentError(problem);
  const way = [own.alias, callee.alias];
  let caller: Run | undefined = run;
  for (let depth = 1; caller?.cause.automation; depth++) {
    caller = await calls.run(caller.cause.automation.run_id);
    if (!caller) return;
    way.unshift(caller.name ?? caller.job_id);
    if (caller.job_id === callee.jobId) {
      const names = way.map((one) => `"${one}"`).join(" → ");
      throw new PermanentError(`The automation would call itself: ${names}.`);
    }
    if (depth >= maxCallDepth) {
      throw new PermanentError(`More than ${maxCallDepth} automations would call each other in a row.`);
    }
  }
}

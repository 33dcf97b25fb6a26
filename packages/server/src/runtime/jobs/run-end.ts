import type { Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Step } from "../../core/store/store.ts";
import { restMs } from "./attempt-outcome.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { RunRetention } from "./run-retention.ts";

export type RunEnd = ReturnType<typeof createRunEnd>;

/** What the end of a run changes in its job, as steps of the same transaction. */
export function createRunEnd(
  { system }: Pick<Dependencies, "system">,
  jobs: JobRows,
  retention: Pick<RunRetention, "ended">,
) {
  const random = () => system.randomBytes(4).readUInt32LE() / 2 ** 32;

  return {
    random,
    /** Counts failures, and makes a live job due again. */
    steps(job: StoredJob, to: Run["status"], now: Date): Step[] {
      const { id } = job;
      retention.ended(id);
      const rest = restMs(job, to, random);
      const count =
        to === "succeeded" ? [jobs.succeeded({ id })] : to === "failed" ? [jobs.failed({ id })] : [];
      const scheduleLive =
        rest === undefined
          ? []
          : [jobs.goOnLive({ id, next_at: new Date(now.getTime() + rest).toISOString() })];
      return [...count, ...scheduleLive];
    },
  };
}

import type { Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Step } from "../../core/store/store.ts";
import { restMs } from "./attempt-outcome.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Lineage, LineageReport } from "./lineage.ts";
import type { RunEnding } from "./run-metrics.ts";
import type { RunRetention } from "./run-retention.ts";

export type RunEnd = ReturnType<typeof createRunEnd>;

/** What the end of a run changes in its job, as steps of the same transaction. */
export function createRunEnd(
  { system }: Pick<Dependencies, "system">,
  jobs: JobRows,
  retention: Pick<RunRetention, "ended">,
  lineage?: Pick<LineageReport, "ended">,
) {
  const random = () => system.randomBytes(4).readUInt32LE() / 2 ** 32;

  return {
    random,
    /** Counts failures, makes a live job due again, and reports a run that had started. */
    steps(
      run: Run,
      job: StoredJob,
      ending: RunEnding,
      touched: Lineage = { inputs: [], outputs: [] },
    ): Step[] {
      const { id } = job;
      const { outcome: to, at: now } = ending;
      retention.ended(id);
      const reported =
        lineage === undefined || run.started_at === null ? [] : [lineage.ended(run, job, ending, touched)];
      const rest = restMs(job, to, random);
      const count =
        to === "succeeded" ? [jobs.succeeded({ id })] : to === "failed" ? [jobs.failed({ id })] : [];
      const scheduleLive =
        rest === undefined
          ? []
          : [jobs.goOnLive({ id, next_at: new Date(now.getTime() + rest).toISOString() })];
      return [...count, ...scheduleLive, ...reported];
    },
  };
}

import type { Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Step } from "../../core/store/store.ts";
import { randomFraction } from "../../core/system.ts";
import { restMs } from "./attempt-outcome.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";
import type { Lineage, LineageReport } from "./lineage.ts";
import { isContinuous } from "./queue.ts";
import type { RunEnding } from "./run-metrics.ts";
import type { RunRetention } from "./run-retention.ts";

export type RunEnd = ReturnType<typeof createRunEnd>;

/** What the end of a run changes in its job, as steps of the same transaction. */
export function createRunEnd(
  { system }: Pick<Dependencies, "system">,
  jobs: JobRows,
  retention: Pick<RunRetention, "ended">,
  lineage?: LineageReport,
) {
  const random = () => randomFraction(system);

  function reportOf(run: Run, job: StoredJob, ending: RunEnding, touched: Lineage): Step[] {
    if (lineage === undefined || run.started_at === null) return [];
    // Only now is it known that the run is worth a report: most runs of a live job are not.
    const start = isContinuous(run.cause) ? [lineage.started(run, job, new Date(run.started_at))] : [];
    return [...start, lineage.ended(run, job, ending, touched)];
  }

  return {
    random,
    /** Counts failures, makes a live job due again, and reports a run that had started, unless its record is folded. */
    steps(
      run: Run,
      job: StoredJob,
      ending: RunEnding,
      touched: Lineage = { inputs: [], outputs: [] },
      isReported = true,
    ): Step[] {
      const { id } = job;
      const { outcome: to, at: now } = ending;
      retention.ended(id);
      const reported = isReported ? reportOf(run, job, ending, touched) : [];
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

import type { Run } from "@lakehelm/contract";
import type { Step } from "../../core/store/store.ts";
import type { StoredJob } from "./job-rows.ts";
import type { RunEnding } from "./run-metrics.ts";

export interface LineageDataset {
  /**
   * The system that has the dataset, such as `postgres://db.internal:5432`. Absent: the warehouse of the run's
   * environment.
   */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** What a run reads and writes. */
export interface Lineage {
  readonly inputs: readonly LineageDataset[];
  readonly outputs: readonly LineageDataset[];
}

/** Reports runs, in the transactions that start and end them. */
export interface LineageReport {
  started(run: Run, job: StoredJob, at: Date): Step;
  ended(run: Run, job: StoredJob, ending: RunEnding, lineage: Lineage): Step;
}

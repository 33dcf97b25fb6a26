import type { Run, RunCause, RunLine } from "@lakehelm/contract";
import type { StoredJob } from "./job-rows.ts";
import type { Lineage } from "./lineage.ts";

/** How an executor reports progress and learns that it should stop. */
export interface RunControl {
  /** Aborted when the attempt should stop: the executor then stops and throws. */
  readonly signal: AbortSignal;
  line(level: RunLine["level"], text: string): void;
  /** The current metrics; written at most every two seconds. */
  progress(metrics: Run["metrics"]): void;
  /**
   * A checkpoint: metrics that are durable when this resolves, so that the next attempt can rely on them after a crash. An
   * executor that writes checkpoints must not report progress, which could overwrite them. Throws if another server has
   * taken the run.
   */
  checkpoint(metrics: Run["metrics"]): Promise<void>;
  /** Reports what the run reads and writes, as soon as it is known. Absent: lineage is not reported. */
  readonly lineage?: ((lineage: Lineage) => void) | undefined;
}

/** A run that succeeded. */
interface ExecutedRun {
  readonly metrics: Run["metrics"];
  /** What needs attention nevertheless, such as failed checks. It becomes the run's error. */
  readonly warning?: string;
}

/**
 * Executes a run. The message of what it throws becomes the run's error; if the error has `retryable: true`, the run is
 * retried. It may be called again for the same run after a crash.
 */
export interface Executor {
  execute(run: Run, job: StoredJob, control: RunControl): Promise<ExecutedRun>;
  /** Throws InvalidRequest if runs of the job cannot have these parameters. Called before a run is queued. */
  checkParameters?(job: StoredJob, parameters: NonNullable<RunCause["parameters"]>): Promise<void>;
  /**
   * A run ended between two attempts, perhaps because its job was deleted: ends what the run has started in other
   * systems.
   */
  abandon?(run: Run): Promise<void>;
}

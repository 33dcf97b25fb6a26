import type { Run, RunLine } from "@lakehelm/contract";
import type { StoredJob } from "./job-rows.ts";

/** What the work of a run can tell, and how it hears that it should stop. */
export interface RunControl {
  /** Ends when the work is no longer wanted: it then stops, and throws. */
  readonly signal: AbortSignal;
  line(level: RunLine["level"], text: string): void;
  /** The metrics so far; written at most every two seconds. */
  progress(metrics: Run["metrics"]): void;
  /**
   * The same, written at once: what the next attempt can rely on after a crash. Work that keeps its metrics tells no
   * progress besides, which might be written later and so undo what was kept. Throws where the run is another's by now.
   */
  keep(metrics: Run["metrics"]): Promise<void>;
}

/**
 * Does the work of a run. What it throws is the run's error, in words for people; where that says `retryable: true`,
 * the run is tried again. It may be called again for the same run, after a crash in the midst of it.
 */
export interface Executor {
  execute(run: Run, job: StoredJob, working: RunControl): Promise<{ readonly metrics: Run["metrics"] }>;
  /** A run has ended between two attempts, perhaps with its job: what its work has begun elsewhere is ended. */
  abandon?(run: Run): Promise<void>;
}

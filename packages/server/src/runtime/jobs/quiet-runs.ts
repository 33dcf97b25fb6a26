import type { Run } from "@lakehelm/contract";
import type { Step } from "../../core/store/store.ts";
import type { StoredJob } from "./job-rows.ts";
import { isContinuous } from "./queue.ts";
import type { RunRows } from "./run-rows.ts";

/** The record of a run that moved nothing, and whether it continues that of the run before. */
interface QuietRun {
  readonly quiet: NonNullable<Run["quiet"]>;
  readonly isRepeated: boolean;
  /** Steps that remove the record of the run before: the new one stands for both. */
  readonly steps: Step[];
}

const moved = ["rows_inserted", "rows_updated", "rows_deleted", "rows_rejected"];

/**
 * A live connector that has nothing to do runs again every second. Such runs have one record together, and the first of
 * them the only event. Undefined if the run moved rows, was retried, or ends a series of failures.
 */
export async function quietRun(
  rows: Pick<RunRows, "quietBefore" | "removeQuiet">,
  run: Run,
  { kind, failures }: Pick<StoredJob, "kind" | "failures">,
  metrics: Run["metrics"],
): Promise<QuietRun | undefined> {
  if (kind !== "connector" || !isContinuous(run.cause) || run.attempt > 1 || failures > 0) return undefined;
  if (!moved.every((counter) => metrics[counter] === 0)) return undefined;
  const before = await rows.quietBefore(run);
  if (!before) return { quiet: { runs: 1, since: run.queued_at }, isRepeated: false, steps: [] };
  const { runs, since } = before.quiet;
  return {
    quiet: { runs: runs + 1, since },
    isRepeated: true,
    steps: [rows.removeQuiet({ id: before.id })],
  };
}

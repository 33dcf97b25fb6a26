import type { PipelineHealthItem } from "@lakehelm/contract";
import type { JobHistory } from "../../runtime/jobs/run-history.ts";

/** Computed on every read: a pipeline becomes stale while nothing happens. */
export function healthOf(
  { succeeded, failedAt, failures }: Omit<JobHistory, "paused">,
  now: Date,
): PipelineHealthItem {
  const succeededAt = succeeded[0] ?? null;
  const isHealthy = failures === 0 && succeededAt !== null;
  return {
    status: isHealthy ? "HEALTHY" : failedAt === null ? "UNKNOWN" : "UNHEALTHY",
    last_update_time: isHealthy ? succeededAt : failedAt,
    last_success_time: succeededAt,
    last_failure_time: failedAt,
    consecutive_failures: failures,
    is_stale: isStale(succeeded, now),
  };
}

/** Fewer successes do not show a usual interval. */
const minSuccesses = 3;

/** No success for longer than twice the median interval of the last successes. `times`: newest first. */
function isStale(times: readonly string[], now: Date): boolean {
  const [last] = times;
  if (last === undefined || times.length < minSuccesses) return false;
  const instants = times.map((time) => Date.parse(time));
  const intervals = instants.slice(1).map((instant, n) => (instants[n] ?? 0) - instant);
  return now.getTime() - Date.parse(last) > 2 * medianOf(intervals);
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}

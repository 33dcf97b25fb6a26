import type { Run } from "@lakehelm/contract";

/** An attempt that failed and was followed by another: `metrics.retries` of its run lists them. */
interface RunRetry {
  readonly attempt: number;
  /** When the attempt failed. */
  readonly at: string;
  readonly error: string;
}

/** Lists of runs read the metrics of up to a thousand runs. The log has all retries, with the whole error. */
const mostRetries = 20;
const longestError = 500;

/** The retries of a run so far, and how to add them to the metrics that its executor reports. */
export function retriesOf({ metrics: { retries } }: Pick<Run, "metrics">) {
  const known = Array.isArray(retries) ? retries : [];
  return {
    known,
    metrics: (found: Run["metrics"]): Run["metrics"] =>
      known.length === 0 ? found : { ...found, retries: known },
  };
}

/** The metrics of a run whose attempt has failed and is retried. */
export function withRetry(
  run: Pick<Run, "attempt" | "metrics">,
  metrics: Run["metrics"],
  { at, error }: Omit<RunRetry, "attempt">,
): Run["metrics"] {
  const retry: RunRetry = { attempt: run.attempt, at, error: shortened(error) };
  return { ...metrics, retries: [...retriesOf(run).known, retry].slice(-mostRetries) };
}

const shortened = (text: string): string =>
  text.length <= longestError ? text : `${text.slice(0, longestError).toWellFormed()} …`;

import type { Job, JobDefinition, Run } from "@lakehelm/contract";
import { backoffMs } from "../../core/concurrency/backoff.ts";
import { isStateUnavailable } from "../../core/errors.ts";

/** Why an attempt is stopped before it has finished. */
export type StopReason = "cancelled" | "timeout" | "lost" | "stopping";

/** The reason of an attempt's abort signal. */
export class Stopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

const sentences: Record<StopReason, string> = {
  cancelled: "It was cancelled.",
  timeout: "It took too long.",
  lost: "Another server may have taken over.",
  stopping: "This server no longer works on it.",
};

export type AttemptResult =
  | { readonly metrics: Run["metrics"]; readonly warning?: string }
  | { readonly error: unknown };

/** What happens to the run after an attempt. */
export type RunOutcome =
  | { readonly to: "succeeded" | "failed" | "cancelled"; readonly error: string | null }
  /** Back into the queue; `counted`: the number of attempts so far. */
  | {
      readonly to: "queued";
      readonly counted: number;
      readonly waitMs: number;
      readonly error: string | null;
    }
  /** Another server has taken the run. */
  | { readonly to: "nothing" };

/** Another system cancelled the run. */
export class CancelledElsewhere extends Error {}

/** Whether an error declares itself retryable. */
const isRetryable = (error: unknown) => (error as { retryable?: unknown } | undefined)?.retryable === true;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const timeoutError = ({ timeout_seconds }: Pick<JobDefinition, "timeout_seconds">): string =>
  `It took longer than ${timeout_seconds} s and was stopped.`;

/** The error of a run that its time limit has stopped; undefined if it was stopped for another reason. */
export const timeoutErrorOf = (
  { reason }: AbortSignal,
  definition: Pick<JobDefinition, "timeout_seconds">,
): string | undefined =>
  reason instanceof Stopped && reason.reason === "timeout" ? timeoutError(definition) : undefined;

export function outcomeOf(
  attempt: number,
  definition: JobDefinition,
  stopped: StopReason | undefined,
  ended: AttemptResult,
  random: () => number,
): RunOutcome {
  if (stopped === "lost") return { to: "nothing" };
  // An attempt that finished before it could be stopped counts as finished.
  if ("metrics" in ended) return { to: "succeeded", error: ended.warning ?? null };
  if (stopped === "stopping") return { to: "queued", counted: attempt - 1, waitMs: 0, error: null };
  if (stopped === "cancelled") return { to: "cancelled", error: null };
  if (stopped === "timeout") {
    return { to: "failed", error: timeoutError(definition) };
  }
  const error = messageOf(ended.error);
  if (ended.error instanceof CancelledElsewhere) return { to: "cancelled", error };
  // An unavailable database says nothing about the run, which another attempt may finish.
  const isOurs = isStateUnavailable(ended.error);
  if (!isOurs && (!isRetryable(ended.error) || attempt >= definition.attempts))
    return { to: "failed", error };
  const { backoff_seconds, max_backoff_seconds } = definition;
  return {
    to: "queued",
    counted: isOurs ? attempt - 1 : attempt,
    waitMs: backoffMs(attempt, backoff_seconds, max_backoff_seconds, random),
    error,
  };
}

/** The pause of a live job between two runs; undefined for other jobs. */
export function restMs(
  { definition: { trigger }, failures }: Pick<Job, "definition" | "failures">,
  to: Run["status"],
  random: () => number,
): number | undefined {
  if (trigger.kind !== "live") return undefined;
  if (to !== "failed") return trigger.pause_seconds * 1000;
  return backoffMs(failures + 1, trigger.backoff_seconds, trigger.max_backoff_seconds, random);
}

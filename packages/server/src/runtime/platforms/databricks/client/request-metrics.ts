import {
  createHistogram,
  type Histogram,
  histogramMetric,
  metric,
} from "../../../../core/metrics/prometheus.ts";
import type { WorkspaceErrorKind } from "./workspace-error.ts";

export type RequestOutcome = "ok" | WorkspaceErrorKind;

/** Counts the requests to one workspace. */
export interface RequestCounter {
  /** An attempt, and how long it took. */
  answered(outcome: RequestOutcome, seconds: number): void;
  /** A request waited because the workspace gets too many. */
  waited(seconds: number): void;
}

interface Counted {
  readonly seconds: Histogram;
  readonly outcomes: Record<RequestOutcome, number>;
  waits: number;
  waitSeconds: number;
}

const noRequests: Readonly<Record<RequestOutcome, number>> = {
  ok: 0,
  refused: 0,
  denied: 0,
  gone: 0,
  conflict: 0,
  busy: 0,
  open: 0,
};
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of the requests to all workspaces, in the Prometheus text format. */
export function createRequestMetrics() {
  const all = new Map<string, Counted>();

  function countedOf(workspace: string): Counted {
    const known = all.get(workspace);
    if (known) return known;
    const fresh = { seconds: createHistogram(bounds), outcomes: { ...noRequests }, waits: 0, waitSeconds: 0 };
    all.set(workspace, fresh);
    return fresh;
  }

  return {
    of(host: string): RequestCounter {
      const counted = countedOf(new URL(host).host);
      return {
        answered(outcome, seconds) {
          counted.outcomes[outcome] += 1;
          counted.seconds.observe(seconds);
        },
        waited(seconds) {
          counted.waits += 1;
          counted.waitSeconds += seconds;
        },
      };
    },
    print(): string {
      const each = <Value>(value: (counted: Counted) => Value) =>
        [...all].map(([workspace, counted]) => [{ workspace }, value(counted)] as const);
      const outcomes = [...all].flatMap(([workspace, counted]) =>
        Object.entries(counted.outcomes).map(([outcome, count]) => [{ workspace, outcome }, count] as const),
      );
      return (
        metric("lakehelm_workspace_requests_total", "counter", "Requests to workspaces.", outcomes) +
        histogramMetric(
          "lakehelm_workspace_request_seconds",
          "Time of a request to a workspace, without waiting for its turn.",
          bounds,
          each(({ seconds }) => seconds),
        ) +
        metric(
          "lakehelm_workspace_rate_limit_waits_total",
          "counter",
          "Requests that waited because a workspace gets too many.",
          each(({ waits }) => waits),
        ) +
        metric(
          "lakehelm_workspace_rate_limit_wait_seconds_total",
          "counter",
          "How long requests waited because a workspace gets too many.",
          each(({ waitSeconds }) => waitSeconds),
        )
      );
    },
  };
}

import type { Run } from "@lakehelm/contract";
import { isObject } from "@lakehelm/contract/schema";
import {
  createHistogram,
  type Histogram,
  histogramMetric,
  type Labels,
  metric,
} from "../../core/metrics/prometheus.ts";
import type { StoredJob } from "./job-rows.ts";

/** In seconds: runs take from a moment to a night. */
const bounds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400];
/** Each job has about ten series. Jobs that were not seen before count as this one once there are so many. */
const mostJobs = 1000;
const other = "(other jobs)";
const rowChanges = ["read", "inserted", "updated", "deleted", "rejected", "superseded"] as const;

type Outcome = "succeeded" | "failed" | "cancelled";
type JobLabels = Pick<StoredJob, "id" | "name" | "kind" | "environmentId">;

interface JobNumbers {
  readonly job: JobLabels;
  readonly outcomes: Map<Outcome, number>;
  readonly rows: Map<(typeof rowChanges)[number], number>;
  seconds: number;
  retries: number;
  /** Milliseconds since 1970. */
  lastSuccess: number | undefined;
  /** Of a connector that reads a log, after its last run. */
  logLag: number | undefined;
  logRetained: number | undefined;
}

/** How a run ended. */
export interface RunEnding {
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly at: Date;
}

/** Is told what happens to runs on this server, after it is stored. */
export interface RunObserver {
  started(run: Run, job: JobLabels, now: Date): void;
  /** An attempt failed and is repeated. */
  retried(job: JobLabels): void;
  /** `run` has its last metrics. */
  ended(run: Run, job: JobLabels, ending: RunEnding): void;
}

/** What this server has executed since its start. */
export interface RunMetrics extends RunObserver {
  /** The environments of the jobs. */
  environments(): ReadonlySet<string>;
  /** In the Prometheus text format. */
  print(nameOf: (environmentId: string) => string): string;
}

export function createRunMetrics(maxJobs = mostJobs): RunMetrics {
  const jobs = new Map<string, JobNumbers>();
  const durations = new Map<string, Histogram>();
  const delays = new Map<string, Histogram>();

  function numbersOf({ id, name, kind, environmentId }: JobLabels): JobNumbers {
    const known = jobs.get(id);
    // A job that was renamed goes on as a new series.
    if (known?.job.name === name) return known;
    const isNew = !known && name !== other;
    if (isNew && jobs.size >= maxJobs) {
      return numbersOf({ id: `other-${kind}`, name: other, kind, environmentId: "" });
    }
    const numbers: JobNumbers = {
      job: { id, name, kind, environmentId },
      outcomes: new Map(),
      rows: new Map(),
      seconds: 0,
      retries: 0,
      lastSuccess: undefined,
      logLag: undefined,
      logRetained: undefined,
    };
    jobs.set(id, numbers);
    return numbers;
  }

  return {
    started({ cause, attempt }, { kind }, now) {
      if (attempt === 1) observe(delays, kind, (now.getTime() - Date.parse(cause.time)) / 1000);
    },
    retried(job) {
      numbersOf(job).retries += 1;
    },
    ended({ started_at, metrics }, job, { outcome, at }) {
      const numbers = numbersOf(job);
      const seconds = started_at === null ? 0 : (at.getTime() - Date.parse(started_at)) / 1000;
      observe(durations, job.kind, seconds);
      numbers.seconds += Math.max(0, seconds);
      add(numbers.outcomes, outcome, 1);
      if (outcome === "succeeded") numbers.lastSuccess = at.getTime();
      if (isObject(metrics.log)) {
        const { lag_bytes, retained_bytes } = metrics.log;
        if (typeof lag_bytes === "number") numbers.logLag = lag_bytes;
        if (typeof retained_bytes === "number") numbers.logRetained = retained_bytes;
      }
      for (const change of rowChanges) {
        const rows = metrics[`rows_${change}`];
        if (typeof rows === "number") add(numbers.rows, change, rows);
      }
    },
    environments: () => new Set([...jobs.values()].map(({ job }) => job.environmentId)),
    print(nameOf) {
      const all = [...jobs.values()].map(({ job: { id, name, kind, environmentId }, ...numbers }) => {
        const labels: Labels = { job: name, kind, environment: nameOf(environmentId), job_id: id };
        return { labels, ...numbers };
      });
      const each = (value: (of: Omit<JobNumbers, "job">) => number | undefined) =>
        all.flatMap((of) => {
          const shown = value(of);
          return shown === undefined ? [] : [[of.labels, shown] as const];
        });
      return (
        metric(
          "lakehelm_runs_total",
          "counter",
          "Runs that ended, by job and outcome.",
          all.flatMap(({ labels, outcomes }) =>
            [...outcomes].map(([outcome, count]) => [{ ...labels, outcome }, count] as const),
          ),
        ) +
        metric(
          "lakehelm_run_rows_total",
          "counter",
          "Rows that runs have read, inserted, updated, deleted, rejected, and left out for another one with the same key.",
          all.flatMap(({ labels, rows }) =>
            [...rows].map(([change, count]) => [{ ...labels, change }, count] as const),
          ),
        ) +
        metric(
          "lakehelm_run_retries_total",
          "counter",
          "Attempts that failed and were repeated.",
          each(({ retries }) => retries),
        ) +
        metric(
          "lakehelm_job_run_seconds_total",
          "counter",
          "Time that the job's runs took, from their first start to their end.",
          each(({ seconds }) => seconds),
        ) +
        metric(
          "lakehelm_job_last_success_timestamp_seconds",
          "gauge",
          "When the job last succeeded on this server.",
          each(({ lastSuccess }) => (lastSuccess === undefined ? undefined : lastSuccess / 1000)),
        ) +
        metric(
          "lakehelm_connector_log_lag_bytes",
          "gauge",
          "What the source had logged and the connector had not read, when its last run on this server ended.",
          each(({ logLag }) => logLag),
        ) +
        metric(
          "lakehelm_connector_log_retained_bytes",
          "gauge",
          "What the source kept of its log for the connector, when its last run on this server ended.",
          each(({ logRetained }) => logRetained),
        ) +
        histogramMetric(
          "lakehelm_run_seconds",
          "Time from a run's first start to its end.",
          bounds,
          byKind(durations),
        ) +
        histogramMetric(
          "lakehelm_run_start_delay_seconds",
          "Time from a run's scheduled time, or its request, to its first start.",
          bounds,
          byKind(delays),
        )
      );
    },
  };
}

function add<Key>(to: Map<Key, number>, key: Key, count: number): void {
  to.set(key, (to.get(key) ?? 0) + count);
}

/** Clocks of several servers differ a little. */
function observe(histograms: Map<string, Histogram>, kind: string, seconds: number): void {
  const histogram = histograms.get(kind) ?? createHistogram(bounds);
  histograms.set(kind, histogram);
  histogram.observe(Math.max(0, seconds));
}

const byKind = (histograms: ReadonlyMap<string, Histogram>) =>
  [...histograms].map(([kind, histogram]) => [{ kind }, histogram] as const);

/** The queue and the schedule of all servers, as the database has them. */
export function queueMetrics(
  { queued, running }: { readonly queued: number; readonly running: number },
  earliest: string | undefined,
  now: Date,
): string {
  const lag = earliest === undefined ? 0 : Math.max(0, (now.getTime() - Date.parse(earliest)) / 1000);
  return (
    metric("lakehelm_runs_queued", "gauge", "Runs that wait for a slot or for their next attempt.", queued) +
    metric("lakehelm_runs_running", "gauge", "Runs that are running.", running) +
    metric(
      "lakehelm_schedule_lag_seconds",
      "gauge",
      "How long ago the earliest job was due that has not been queued yet.",
      lag,
    )
  );
}

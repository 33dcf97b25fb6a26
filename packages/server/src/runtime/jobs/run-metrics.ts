import type { Run } from "@lakehelm/contract";
import { isObject } from "@lakehelm/contract/schema";
import {
  createHistogram,
  type Histogram,
  histogramMetric,
  type Labels,
  metric,
} from "../../core/metrics/prometheus.ts";
import type { MeasuredJob, StoredJob } from "./job-rows.ts";

/** In seconds: runs take from a moment to a night. */
const bounds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400];
/** Each job has about 15 series. With more jobs than this, the newest ones count together as `other`. */
export const mostJobs = 1000;
const other = "(other jobs)";
const rowChanges = ["read", "inserted", "updated", "deleted", "rejected", "superseded"] as const;
const outcomes = ["succeeded", "failed", "cancelled"] as const;
const kinds = ["connector", "flow", "pipeline", "automation"] as const satisfies readonly StoredJob["kind"][];

type Outcome = (typeof outcomes)[number];
type JobLabels = Pick<StoredJob, "id" | "name" | "kind" | "environmentId">;

interface JobNumbers {
  job: JobLabels;
  readonly outcomes: Record<Outcome, number>;
  readonly rows: Record<(typeof rowChanges)[number], number>;
  seconds: number;
  retries: number;
  /** For a connector that reads a log: the values after its last run. */
  logLag: number | undefined;
  logRetained: number | undefined;
}

export interface RunEnding {
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly at: Date;
}

/** Called about runs on this server, after what happened is stored. */
export interface RunObserver {
  started(run: Run, job: JobLabels, now: Date): void;
  /** An attempt failed and is retried. */
  retried(job: JobLabels): void;
  /** `run` has its last metrics. */
  ended(run: Run, job: JobLabels, ending: RunEnding): void;
}

/** What this server has executed since its start. */
export interface RunMetrics extends RunObserver {
  /** The environments of the jobs. */
  environments(): ReadonlySet<string>;
  /**
   * In the Prometheus text format. `stored`: the oldest jobs, as many as have series of their own; each of these jobs
   * has all series.
   */
  print(nameOf: (environmentId: string) => string, stored?: readonly MeasuredJob[]): string;
}

export function createRunMetrics(maxJobs = mostJobs): RunMetrics {
  const jobs = new Map<string, JobNumbers>();
  const durations = histogramsByKind();
  const delays = histogramsByKind();
  let before: readonly MeasuredJob[] = [];

  function add(job: JobLabels): JobNumbers {
    const numbers: JobNumbers = {
      job,
      outcomes: { succeeded: 0, failed: 0, cancelled: 0 },
      rows: { read: 0, inserted: 0, updated: 0, deleted: 0, rejected: 0, superseded: 0 },
      seconds: 0,
      retries: 0,
      logLag: undefined,
      logRetained: undefined,
    };
    jobs.set(job.id, numbers);
    return numbers;
  }

  function numbersOf({ id, name, kind, environmentId }: JobLabels): JobNumbers {
    const known = jobs.get(id);
    if (known) return known;
    if (jobs.size >= maxJobs) return numbersOfOthers(kind);
    return add({ id, name, kind, environmentId });
  }

  function numbersOfOthers(kind: StoredJob["kind"]): JobNumbers {
    const id = `other-${kind}`;
    return jobs.get(id) ?? add({ id, name: other, kind, environmentId: "" });
  }

  /** A counter that first appears at 1 is no increase for Prometheus: each job has its series before its first run ends. */
  function addStored(stored: readonly MeasuredJob[]): void {
    const ids = new Set(stored.map(({ id }) => id));
    for (const { id } of before) if (!ids.has(id)) jobs.delete(id);
    before = stored;
    for (const { id, name, kind, environmentId } of stored) {
      const job = { id, name, kind, environmentId };
      const known = jobs.get(id);
      if (known) known.job = job;
      else add(job);
    }
    if (stored.length >= maxJobs) for (const kind of kinds) numbersOfOthers(kind);
  }

  return {
    started({ cause, attempt }, { kind }, now) {
      if (attempt === 1) observe(delays[kind], (now.getTime() - Date.parse(cause.time)) / 1000);
    },
    retried(job) {
      numbersOf(job).retries += 1;
    },
    ended({ started_at, metrics }, job, { outcome, at }) {
      const numbers = numbersOf(job);
      const seconds = started_at === null ? 0 : (at.getTime() - Date.parse(started_at)) / 1000;
      observe(durations[job.kind], seconds);
      numbers.seconds += Math.max(0, seconds);
      numbers.outcomes[outcome] += 1;
      if (isObject(metrics.log)) {
        const { lag_bytes, retained_bytes } = metrics.log;
        if (typeof lag_bytes === "number") numbers.logLag = lag_bytes;
        if (typeof retained_bytes === "number") numbers.logRetained = retained_bytes;
      }
      for (const change of rowChanges) {
        const rows = metrics[`rows_${change}`];
        if (typeof rows === "number") numbers.rows[change] += rows;
      }
    },
    environments: () => new Set([...jobs.values()].map(({ job }) => job.environmentId)),
    print(nameOf, stored) {
      if (stored) addStored(stored);
      const all = [...jobs.values()].map(({ job: { id, name, kind, environmentId }, ...numbers }) => {
        const labels: Labels = labelsOf({ id, name, kind, environment: nameOf(environmentId) });
        return { labels, ...numbers };
      });
      const eachStored = (value: (of: MeasuredJob) => number | undefined) =>
        (stored ?? []).flatMap((of) => {
          const shown = value(of);
          const labels = labelsOf({ ...of, environment: nameOf(of.environmentId) });
          return shown === undefined ? [] : [[labels, shown] as const];
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
          all.flatMap(({ labels, outcomes: counts }) =>
            outcomes.map((outcome) => [{ ...labels, outcome }, counts[outcome]] as const),
          ),
        ) +
        metric(
          "lakehelm_run_rows_total",
          "counter",
          "Rows that runs have read, inserted, updated, deleted, rejected, and left out for another one with the same key.",
          all.flatMap(({ labels, rows }) =>
            rowChanges.map((change) => [{ ...labels, change }, rows[change]] as const),
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
          "When the job last succeeded, on any server. No sample: it never has.",
          eachStored(({ succeededAt }) =>
            succeededAt === null ? undefined : Date.parse(succeededAt) / 1000,
          ),
        ) +
        metric(
          "lakehelm_job_created_timestamp_seconds",
          "gauge",
          "When the job was created.",
          eachStored(({ createdAt }) => Date.parse(createdAt) / 1000),
        ) +
        metric(
          "lakehelm_job_failures",
          "gauge",
          "How many runs of the job have failed since its last success, on any server.",
          eachStored(({ failures }) => failures),
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

const labelsOf = ({
  id,
  name,
  kind,
  environment,
}: Omit<JobLabels, "environmentId"> & { readonly environment: string }): Labels => ({
  job_name: name,
  kind,
  environment,
  job_id: id,
});

const histogramsByKind = (): Record<StoredJob["kind"], Histogram> => ({
  connector: createHistogram(bounds),
  flow: createHistogram(bounds),
  pipeline: createHistogram(bounds),
  automation: createHistogram(bounds),
});

/** Never negative: the clocks of several servers differ a little. */
const observe = (histogram: Histogram, seconds: number) => histogram.observe(Math.max(0, seconds));

const byKind = (histograms: Readonly<Record<StoredJob["kind"], Histogram>>) =>
  kinds.map((kind) => [{ kind }, histograms[kind]] as const);

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

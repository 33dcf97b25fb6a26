import type { JobPause, Run } from "@lakehelm/contract";
import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import { parsed } from "./job-rows.ts";
import { runColumns, runOf } from "./run-row.ts";

/** The job whose history is requested, without runs of an earlier job with the same id. */
interface HistoryRequest {
  readonly jobId: string;
  /** Only runs queued since this time. */
  readonly since: string;
}

type RunHead = Pick<Run, "id" | "status" | "cause" | "attempt" | "error"> &
  Pick<Run, "queued_at" | "started_at" | "ended_at">;

/** The recent results of a job. Validation runs and cancelled runs do not count. */
export interface JobHistory {
  /** The last five runs of any kind, newest first. */
  readonly latest: readonly RunHead[];
  /** When the last ten successful runs ended, newest first. */
  readonly succeeded: readonly string[];
  readonly failedAt: string | null;
  /** The number of failures since the last success. */
  readonly failures: number;
  readonly paused: JobPause | null;
}

export interface RunHistory {
  of(jobs: readonly HistoryRequest[]): Promise<JobHistory[]>;
  /** The runs after a given one, or from the first on; oldest first. */
  after(job: HistoryRequest, runId: string | undefined, limit: number): Promise<Run[]>;
}

type Slots = Readonly<Record<string, string>>;

/** A list usually has a hundred items: three queries read half of them. SQLite allows up to 500 terms in a union. */
const sizes = [1, 50] as const;

const latestKept = 5;
const successesKept = 10;

/** The cause of a run is JSON that we wrote: quotes inside a text are escaped. */
const counts = (run: string) => sql`${sql.ref(`${run}.cause`)} not like '%"validate_only":true%'`;

export function createRunHistory(store: Store): RunHistory {
  const prepare = <Row>(build: (requested: RawBuilder<unknown>) => RawBuilder<Row>, size: number) =>
    store.prepare((db: Kysely<Tables>, v: Slots): Compilable<Row> => {
      const rows = Array.from(
        { length: size },
        (_, n) => sql`select cast(${v[`job${n}`]} as text) as job, cast(${v[`since${n}`]} as text) as since`,
      );
      const query = build(sql`(${sql.join(rows, sql` union all `)}) as requested`);
      return { compile: () => query.compile(db) };
    });
  const queries = sizes.map((size) => ({
    size,
    latest: prepare(latestOf, size),
    succeeded: prepare(succeededOf, size),
    standing: prepare(standingOf, size),
  }));

  const after = store.prepare((db, v: { job: string; since: string; id: string; limit: number }) =>
    db
      .selectFrom("runs")
      .select(runColumns)
      .where("job_id", "=", v.job)
      .where("queued_at", ">=", v.since)
      .where("id", ">", v.id)
      .orderBy("id")
      .limit(v.limit),
  );

  async function some(jobs: readonly HistoryRequest[]): Promise<JobHistory[]> {
    const query = queries.find(({ size }) => size >= jobs.length);
    if (!query) throw new Error("too many jobs for one query");
    const values: Record<string, string> = {};
    for (let n = 0; n < query.size; n++) {
      // The remaining terms of the query select no job.
      values[`job${n}`] = jobs[n]?.jobId ?? "";
      values[`since${n}`] = jobs[n]?.since ?? "";
    }
    const [latest, succeeded, standing] = await Promise.all([
      store.all(query.latest(values)),
      store.all(query.succeeded(values)),
      store.all(query.standing(values)),
    ]);
    const runs = Map.groupBy(latest, ({ job_id }) => job_id);
    const successes = Map.groupBy(succeeded, ({ job_id }) => job_id);
    const standings = new Map(standing.map((row) => [row.job, row]));
    return jobs.map(({ jobId }) => {
      const { failed_at, failures, paused } = standings.get(jobId) ?? {};
      return {
        latest: (runs.get(jobId) ?? []).map(({ job_id: _, cause, status, ...run }) => ({
          ...run,
          status: status as Run["status"],
          cause: parsed(cause) as Run["cause"],
        })),
        succeeded: (successes.get(jobId) ?? []).map(({ ended_at }) => ended_at),
        failedAt: failed_at ?? null,
        failures: Number(failures ?? 0),
        paused: paused ? (parsed(paused) as JobPause) : null,
      };
    });
  }

  return {
    async of(jobs) {
      const [, most] = sizes;
      const found: JobHistory[] = [];
      for (let at = 0; at < jobs.length; at += most) found.push(...(await some(jobs.slice(at, at + most))));
      return found;
    },
    async after({ jobId, since }, runId, limit) {
      const rows = await store.all(after({ job: jobId, since, id: runId ?? "", limit }));
      return rows.map((row) => runOf(row).run);
    },
  };
}

interface LatestRow extends Omit<RunHead, "status" | "cause"> {
  readonly job_id: string;
  readonly status: string;
  readonly cause: string;
}

/**
 * Selects runs from the id of the fifth newest on: both databases then read five entries of the index. A cross join
 * keeps SQLite from beginning with all runs.
 */
const latestOf = (requested: RawBuilder<unknown>) => sql<LatestRow>`
  select runs.job_id, runs.id, runs.status, runs.cause, runs.attempt, runs.error,
    runs.queued_at, runs.started_at, runs.ended_at
  from ${requested} cross join runs
  where runs.job_id = requested.job and runs.queued_at >= requested.since
    and runs.id >= coalesce((
      select last.id from runs as last where last.job_id = requested.job
      order by last.id desc limit 1 offset ${sql.lit(latestKept - 1)}), '')
  order by runs.id desc`;

const succeededOf = (requested: RawBuilder<unknown>) => sql<{ job_id: string; ended_at: string }>`
  select runs.job_id, runs.ended_at
  from ${requested} cross join runs
  where runs.job_id = requested.job and runs.status = 'succeeded'
    and runs.queued_at >= requested.since and ${counts("runs")}
    and runs.id >= coalesce((
      select last.id from runs as last
      where last.job_id = requested.job and last.status = 'succeeded' and ${counts("last")}
      order by last.id desc limit 1 offset ${sql.lit(successesKept - 1)}), '')
  order by runs.id desc`;

interface StandingRow {
  readonly job: string;
  readonly failed_at: string | null;
  readonly failures: number;
  readonly paused: string | null;
}

const standingOf = (requested: RawBuilder<unknown>) => sql<StandingRow>`
  select requested.job, jobs.paused,
    (select last.ended_at from runs as last
      where last.job_id = requested.job and last.status = 'failed'
        and last.queued_at >= requested.since and ${counts("last")}
      order by last.id desc limit 1) as failed_at,
    (select count(*) from runs as failed
      where failed.job_id = requested.job and failed.status = 'failed'
        and failed.queued_at >= requested.since and ${counts("failed")}
        and failed.id > coalesce((
          select last.id from runs as last
          where last.job_id = requested.job and last.status = 'succeeded' and ${counts("last")}
          order by last.id desc limit 1), '')) as failures
  from ${requested} left join jobs on jobs.id = requested.job`;

import type { RunLine } from "@lakehelm/contract";
import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import { batchOf, daysBefore } from "../../core/retention/batch.ts";
import type { RetentionSource } from "../../core/retention/retention.ts";
import type { Step } from "../../core/store/store.ts";
import type { RunLog } from "./run-log.ts";
import { runColumns, runOf } from "./run-row.ts";

/** Skipped runs kept per job. They are counted separately, so that they do not displace other runs. */
const skippedKept = 50;

/** More runs than one batch has. */
const pageSize = 500;
const idsPerStatement = 50;

/** A run as a line of the archive. */
interface ArchivedRun {
  readonly run: { readonly id: string };
  readonly log: readonly RunLine[];
}

interface ArchivedRunLog {
  readonly run_id: string;
  readonly log: readonly RunLine[];
}

/** Runs beyond the number or the age that is kept, with their logs. */
export interface RunRetention extends RetentionSource {
  /** A run of this job has ended: the job may have more runs than are kept. */
  ended(jobId: string): void;
}

export function createRunRetention({ store, settings }: Dependencies, log: RunLog): RunRetention {
  /** After a restart the next run of a job adds it again. */
  const endedJobs = new Set<string>();

  /** Metrics and alerts need the last success, also of a job that has failed for months. */
  const isNotLastSuccess = sql<boolean>`not (runs.status = 'succeeded' and not exists (
    select 1 from runs as later
    where later.job_id = runs.job_id and later.status = 'succeeded' and later.id > runs.id
  ) and exists (select 1 from jobs where jobs.id = runs.job_id))`;
  const surplus = (isSkipped: boolean) =>
    store.prepare((db, v: { job: string; kept: number; limit: number }) =>
      db
        .selectFrom("runs")
        .select("id")
        .where("job_id", "=", v.job)
        .where("status", isSkipped ? "=" : "!=", "skipped")
        .where("open_job", "is", null)
        .where(isNotLastSuccess)
        .where("id", "<", (eb) =>
          eb
            .selectFrom("runs")
            .select("id")
            .where("job_id", "=", v.job)
            .where("status", isSkipped ? "=" : "!=", "skipped")
            .orderBy("id", "desc")
            .limit(1)
            .offset(v.kept),
        )
        .orderBy("id")
        .limit(v.limit),
    );
  const surplusRuns = surplus(false);
  const surplusSkipped = surplus(true);
  /** Old runs, except the last run and the last success of each existing job. */
  const oldRuns = store.prepare((db, v: { before: string; limit: number }) =>
    db
      .selectFrom("runs")
      .select("runs.id")
      .where("ended_at", "<", v.before)
      .where(isNotLastSuccess)
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom("runs as newer")
              .select("newer.id")
              .whereRef("newer.job_id", "=", "runs.job_id")
              .whereRef("newer.id", ">", "runs.id"),
          ),
          eb.not(eb.exists(eb.selectFrom("jobs").select("jobs.id").whereRef("jobs.id", "=", "runs.job_id"))),
        ]),
      )
      .orderBy("ended_at")
      .limit(v.limit),
  );
  const runWithId = store.prepare((db, v: { id: string }) =>
    db.selectFrom("runs").select(runColumns).where("id", "=", v.id),
  );
  const removeRuns = store.prepare((db, v: Record<`id${number}`, string>) =>
    db.deleteFrom("runs").where(
      "id",
      "in",
      Array.from({ length: idsPerStatement }, (_, n) => v[`id${n}`] as string),
    ),
  );

  async function dueRuns(now: Date): Promise<string[]> {
    const before = daysBefore(now, settings.PLATFORM_RUNS_KEPT_DAYS);
    const old = (await store.all(oldRuns({ before, limit: pageSize }))).map(({ id }) => id);
    if (old.length > 0) return old;
    // One batch for all jobs: a batch for each job would need its own line of the manifest, event and transaction.
    const due: string[] = [];
    for (const job of endedJobs) {
      const found = [
        ...(await store.all(surplusRuns({ job, kept: settings.PLATFORM_RUNS_KEPT - 1, limit: pageSize }))),
        ...(await store.all(surplusSkipped({ job, kept: skippedKept - 1, limit: pageSize }))),
      ];
      if (found.length === 0) endedJobs.delete(job);
      for (const { id } of found) due.push(id);
      if (due.length >= pageSize) break;
      await new Promise((next) => setImmediate(next));
    }
    return due;
  }

  return {
    kind: "runs",
    ended: (jobId) => void endedJobs.add(jobId),
    async next(now) {
      return batchOf(await dueRuns(now), async (id) => {
        const row = await store.one(runWithId({ id }));
        if (!row) return undefined;
        const record = { run: runOf(row).run, log: await log.whole(id) } satisfies ArchivedRun;
        return { record, rows: 1 + record.log.length };
      });
    },
    isStored: async ({ first }) => (await store.one(runWithId({ id: String(first) }))) !== undefined,
    removal(_, lines) {
      const ids = lines.map((line) => (JSON.parse(line) as ArchivedRun).run.id);
      const steps: Step[] = [];
      for (let at = 0; at < ids.length; at += idsPerStatement) {
        const some = ids.slice(at, at + idsPerStatement);
        const values = Array.from({ length: idsPerStatement }, (_, n) => [`id${n}`, some[n] ?? some[0]]);
        steps.push({ ...removeRuns(Object.fromEntries(values)), expect: some.length });
      }
      return steps;
    },
  };
}

/** Logs of runs that are kept longer than their logs. A line says where the log is. */
export function createRunLogRetention(
  { store, settings, system }: Dependencies,
  log: RunLog,
): RetentionSource {
  const { PLATFORM_RUN_LOGS_KEPT_DAYS: keptDays } = settings;
  const due = store.prepare((db, v: { before: string; limit: number }) =>
    db
      .selectFrom("run_log")
      .innerJoin("runs", "runs.id", "run_log.run_id")
      .select("run_id")
      .where("n", "=", sql.lit(1))
      .where("ended_at", "<", v.before)
      .orderBy("run_id")
      .limit(v.limit),
  );
  const firstLine = store.prepare((db, v: { id: string }) =>
    db.selectFrom("run_log").select("n").where("run_id", "=", v.id).where("n", "=", sql.lit(1)),
  );
  const remove = store.prepare((db, v: { id: string }) =>
    db.deleteFrom("run_log").where("run_id", "=", v.id),
  );

  return {
    kind: "run_logs",
    async next(now) {
      if (keptDays === 0) return undefined;
      const before = daysBefore(now, keptDays);
      const ids = (await store.all(due({ before, limit: pageSize }))).map(({ run_id }) => run_id);
      return batchOf(ids, async (id) => {
        const record = { run_id: id, log: await log.whole(id) } satisfies ArchivedRunLog;
        return { record, rows: record.log.length };
      });
    },
    isStored: async ({ first }) => (await store.one(firstLine({ id: String(first) }))) !== undefined,
    removal(_, lines, archivedAs) {
      const time = system.now().toISOString();
      return lines.flatMap((line) => {
        const { run_id: id, log: removed } = JSON.parse(line) as ArchivedRunLog;
        const where = archivedAs === undefined ? "were removed" : `are in the archive: ${archivedAs}`;
        const notice = `${removed.length === 1 ? "The only line" : `The ${removed.length} lines`} of this log ${where}.`;
        return [
          { ...remove({ id }), expect: removed.length },
          log.insert({ run_id: id, n: (removed.at(-1)?.n ?? 0) + 1, time, level: "info", line: notice }),
        ];
      });
    },
  };
}

import type { Run } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Step } from "../../core/store/store.ts";
import { unrecorded } from "../../core/system.ts";
import { restMs } from "./attempt-outcome.ts";
import type { JobRows, StoredJob } from "./job-rows.ts";

export type RunEnd = ReturnType<typeof createRunEnd>;

/** Skipped runs kept per job. They are counted separately, so that they do not displace other runs. */
const skippedKept = 50;

/** What the end of a run changes in its job, as steps of the same transaction. */
export function createRunEnd({ store, system, settings }: Dependencies, jobs: JobRows) {
  const prune = (isSkipped: boolean) =>
    store.prepare((db, v: { job: string; kept: number }) =>
      db
        .deleteFrom("runs")
        .where("job_id", "=", v.job)
        .where("status", isSkipped ? "=" : "!=", "skipped")
        .where("open_job", "is", null)
        .where("id", "<", (eb) =>
          eb
            .selectFrom("runs")
            .select("id")
            .where("job_id", "=", v.job)
            .where("status", isSkipped ? "=" : "!=", "skipped")
            .orderBy("id", "desc")
            .limit(1)
            .offset(v.kept),
        ),
    );
  const pruneRuns = prune(false);
  const pruneSkipped = prune(true);
  const pruneOld = store.prepare((db, v: { before: string; limit: number }) =>
    db.deleteFrom("runs").where("id", "in", (eb) =>
      eb
        .selectFrom("runs")
        .select("runs.id")
        .where("ended_at", "<", v.before)
        .where((eb) =>
          eb.or([
            eb.exists(
              eb
                .selectFrom("runs as newer")
                .select("newer.id")
                .whereRef("newer.job_id", "=", "runs.job_id")
                .whereRef("newer.id", ">", "runs.id"),
            ),
            eb.not(
              eb.exists(eb.selectFrom("jobs").select("jobs.id").whereRef("jobs.id", "=", "runs.job_id")),
            ),
          ]),
        )
        .orderBy("ended_at")
        .limit(v.limit),
    ),
  );

  const random = () => system.randomBytes(4).readUInt32LE() / 2 ** 32;

  return {
    random,
    /** Counts failures, makes a live job due again, and deletes its oldest runs. */
    steps(job: StoredJob, to: Run["status"], now: Date): Step[] {
      const { id } = job;
      const rest = restMs(job, to, random);
      const count =
        to === "succeeded" ? [jobs.succeeded({ id })] : to === "failed" ? [jobs.failed({ id })] : [];
      const scheduleLive =
        rest === undefined
          ? []
          : [jobs.goOnLive({ id, next_at: new Date(now.getTime() + rest).toISOString() })];
      return [
        ...count,
        ...scheduleLive,
        pruneRuns({ job: id, kept: settings.PLATFORM_RUNS_KEPT - 1 }),
        pruneSkipped({ job: id, kept: skippedKept - 1 }),
      ];
    },
    /** Deletes runs that have passed their retention, except the last one of each existing job. */
    async pruneOld(now: Date): Promise<void> {
      const before = new Date(now.getTime() - settings.PLATFORM_RUNS_KEPT_DAYS * 86_400_000).toISOString();
      await store.apply({ context: unrecorded, steps: [pruneOld({ before, limit: 1000 })], events: [] });
    },
  };
}

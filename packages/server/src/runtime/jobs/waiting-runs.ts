import { type Kysely, sql } from "kysely";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { Share } from "./fair-share.ts";
import { remoteTrigger } from "./job-rows.ts";
import { runColumns, runOf } from "./run-row.ts";

/**
 * Runs of automations mostly wait for other runs, and remote runs wait for another system. Both have separate execution
 * slots, so that they cannot block the runs that this server works on.
 */
export type Lane = "work" | "automations" | "remote";

/** Queries for the runs that wait for an execution slot. */
export function createWaitingRuns(store: Store) {
  /** Queued and due runs; for a job without overlap, only while none is running. */
  const waiting = (db: Kysely<Tables>, lane: Lane, now: string) =>
    db
      .selectFrom("runs")
      .where("not_before", "<=", now)
      .where(sql<boolean>`not exists (select 1 from runs as held where held.holds = runs.job_id)`)
      .where((eb) => {
        const jobOf = eb.selectFrom("jobs").select("jobs.id").whereRef("jobs.id", "=", "runs.job_id");
        const remote = eb.exists(jobOf.where("jobs.trigger", "=", remoteTrigger));
        if (lane === "remote") return remote;
        const automation = eb.exists(jobOf.where("jobs.kind", "=", "automation"));
        return eb.and([lane === "automations" ? automation : eb.not(automation), eb.not(remote)]);
      });
  const oldestIn = (lane: Lane) =>
    store.prepare((db, v: { now: string; limit: number }) =>
      waiting(db, lane, v.now).select(runColumns).orderBy("not_before").orderBy("id").limit(v.limit),
    );
  const sharesIn = (lane: Lane) =>
    store.prepare((db, v: { now: string }) =>
      waiting(db, lane, v.now)
        .select(["runs.environment_id", "runs.caller"])
        .select((eb) => eb.fn.min("not_before").as("oldest"))
        .groupBy(["runs.caller", "runs.environment_id"]),
    );
  const oldestOfShareIn = (lane: Lane) =>
    store.prepare((db, v: { now: string; environment_id: string; caller: string; limit: number }) =>
      waiting(db, lane, v.now)
        .select(runColumns)
        .where("runs.environment_id", "=", v.environment_id)
        .where(sql<boolean>`coalesce(runs.caller, '') = ${v.caller}`)
        .orderBy("not_before")
        .orderBy("id")
        .limit(v.limit),
    );
  const inLanes = <Query>(prepare: (lane: Lane) => Query) => ({
    work: prepare("work"),
    automations: prepare("automations"),
    remote: prepare("remote"),
  });
  const oldest = inLanes(oldestIn);
  const shares = inLanes(sharesIn);
  const oldestOfShare = inLanes(oldestOfShareIn);
  const nthWaiting = store.prepare((db, v: { caller: string; skip: number }) =>
    db
      .selectFrom("runs")
      .select("id")
      .where("caller", "=", v.caller)
      .where("not_before", "is not", null)
      .limit(1)
      .offset(v.skip),
  );
  const mostWaiting = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("runs")
      .select((eb) => eb.fn.countAll().as("n"))
      .where("caller", "is not", null)
      .where("not_before", "is not", null)
      .groupBy("caller")
      .orderBy("n", "desc")
      .limit(1),
  );
  const nextWaiting = store.prepare((db, v: { now: string }) =>
    db
      .selectFrom("runs")
      .select((eb) => [eb.fn.min("not_before").as("at")])
      .where("not_before", ">", v.now),
  );

  return {
    /** Whether this caller has at least `count` queued runs. */
    hasWaiting: async (caller: string, count: number) =>
      (await store.one(nthWaiting({ caller, skip: count - 1 }))) !== undefined,
    /** The number of queued runs of the caller with the most. */
    mostWaiting: async () => Number((await store.one(mostWaiting({})))?.n ?? 0),
    /** Queued and due, oldest first. */
    waiting: async (lane: Lane, now: string, limit: number) =>
      (await store.all(oldest[lane]({ now, limit }))).map(runOf),
    /** The callers and environments that have due runs, with the time of the oldest. */
    waitingShares: async (lane: Lane, now: string) =>
      (await store.all(shares[lane]({ now }))).map((row) => ({
        environmentId: row.environment_id,
        caller: row.caller ?? "",
        oldest: row.oldest ?? "",
      })),
    waitingOfShare: async (lane: Lane, now: string, { environmentId, caller }: Share, limit: number) =>
      (await store.all(oldestOfShare[lane]({ now, environment_id: environmentId, caller, limit }))).map(
        runOf,
      ),
    nextWaiting: async (now: string) => (await store.one(nextWaiting({ now })))?.at ?? undefined,
  };
}

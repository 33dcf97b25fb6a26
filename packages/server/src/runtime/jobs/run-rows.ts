import type { Job, Run, RunCause } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { type Kysely, sql } from "kysely";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import { parsed } from "./job-rows.ts";
import { createRunPages } from "./run-pages.ts";
import { type RunRow, runColumns, runOf, type StoredRun } from "./run-row.ts";
import { createWaitingRuns } from "./waiting-runs.ts";

export interface NewRun {
  readonly id: string;
  readonly jobId: string;
  readonly environmentId: string;
  /** Unique per job: a slot has at most one run. */
  readonly slot: string;
  readonly status: "queued" | "skipped";
  readonly cause: RunCause;
  readonly error: string | null;
  readonly caller: string | null;
  readonly kind: Job["kind"];
  readonly name: string;
}

type ClaimKey = { id: string; owner: string; attempt: number };

/** Queries and write steps for runs. */
export type RunRows = ReturnType<typeof createRunRows>;

export function createRunRows(store: Store) {
  const byId = store.prepare((db, v: { id: string }) =>
    db.selectFrom("runs").select(runColumns).where("id", "=", v.id),
  );
  const bySlot = store.prepare((db, v: { job_id: string; slot: string }) =>
    db.selectFrom("runs").select(runColumns).where("job_id", "=", v.job_id).where("slot", "=", v.slot),
  );
  const unfinished = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("runs")
      .select((eb) => ["status", eb.fn.countAll<number>().as("n")])
      .where("status", "in", ["queued", "running"])
      .groupBy("status"),
  );
  const ownedBy = store.prepare((db, v: { owner: string }) =>
    db
      .selectFrom("runs")
      .select(runColumns)
      .where("heartbeat_until", "is not", null)
      .where("owner", "=", v.owner),
  );
  const heartbeats = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("runs")
      .select(["id", "owner", "attempt", "heartbeat_until"])
      .where("heartbeat_until", "is not", null),
  );
  const beating = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("runs").select("id").where("heartbeat_until", "is not", null).limit(1),
  );
  const openBesides = store.prepare((db, v: { job: string; slots: string }) =>
    db
      .selectFrom("runs")
      .select("id")
      .where("open_job", "=", v.job)
      .where(sql<boolean>`substr(runs.slot, 1, length(cast(${v.slots} as text))) <> cast(${v.slots} as text)`)
      .limit(1),
  );
  const newestIn = store.prepare((db, v: { environment_id: string; slots: string }) =>
    db
      .selectFrom("runs")
      .select("queued_at")
      .where("environment_id", "=", v.environment_id)
      .where(sql<boolean>`substr(runs.slot, 1, length(cast(${v.slots} as text))) = cast(${v.slots} as text)`)
      .orderBy("id", "desc")
      .limit(1),
  );
  const slotOf = store.prepare((db, v: { id: string }) =>
    db.selectFrom("runs").select("slot").where("id", "=", v.id),
  );
  const moveTo = store.prepare((db, v: { id: string; slot: string }) =>
    db.updateTable("runs").set({ slot: v.slot }).where("id", "=", v.id).where("status", "=", "running"),
  );
  const insert = store.prepare(
    (
      db,
      v: Omit<RunRow, "started_at" | "owner" | "cancel" | "quiet"> & {
        slot: string;
        open_job: string | null;
      },
    ) =>
      db.insertInto("runs").values({
        id: v.id,
        job_id: v.job_id,
        environment_id: v.environment_id,
        slot: v.slot,
        status: v.status,
        cause: v.cause,
        attempt: v.attempt,
        queued_at: v.queued_at,
        not_before: v.not_before,
        ended_at: v.ended_at,
        error: v.error,
        metrics: v.metrics,
        open_job: v.open_job,
        caller: v.caller,
        kind: v.kind,
        name: v.name,
      }),
  );
  const claim = store.prepare(
    (db, v: { id: string; owner: string; now: string; until: string; holds: string | null }) =>
      db
        .updateTable("runs")
        .set((eb) => ({
          status: "running",
          attempt: eb("attempt", "+", 1),
          owner: v.owner,
          heartbeat_until: v.until,
          started_at: eb.fn.coalesce("started_at", eb.cast<string>(eb.val(v.now), "text")),
          not_before: null,
          holds: v.holds,
        }))
        .where("id", "=", v.id)
        .where("status", "=", "queued"),
  );
  /** Fenced by server and attempt: a server that has lost the run changes nothing. */
  const own = (db: Kysely<Tables>, v: ClaimKey) =>
    db
      .updateTable("runs")
      .where("id", "=", v.id)
      .where("owner", "=", v.owner)
      .where("attempt", "=", v.attempt)
      .where("status", "=", "running");
  const end = store.prepare(
    (
      db,
      v: ClaimKey & { to: string; now: string; error: string | null; metrics: string; quiet: string | null },
    ) =>
      own(db, v).set({
        status: v.to,
        ended_at: v.now,
        error: v.error,
        metrics: v.metrics,
        quiet: v.quiet,
        heartbeat_until: null,
        holds: null,
        open_job: null,
      }),
  );
  /** The previous run of the job; `quiet` is null if it moved something. */
  const quietBefore = store.prepare((db, v: { job: string; id: string }) =>
    db
      .selectFrom("runs")
      .select(["id", "quiet"])
      .where("job_id", "=", v.job)
      .where("id", "<", v.id)
      .orderBy("id", "desc")
      .limit(1),
  );
  const removeQuiet = store.prepare((db, v: { id: string }) =>
    db.deleteFrom("runs").where("id", "=", v.id).where("quiet", "is not", null),
  );
  const putBack = store.prepare(
    (db, v: ClaimKey & { counted: number; not_before: string; error: string | null; metrics: string }) =>
      own(db, v).set({
        metrics: v.metrics,
        status: "queued",
        attempt: v.counted,
        not_before: v.not_before,
        error: v.error,
        owner: null,
        heartbeat_until: null,
        holds: null,
      }),
  );
  const progress = store.prepare((db, v: ClaimKey & { metrics: string }) =>
    own(db, v).set({ metrics: v.metrics }),
  );
  const renew = store.prepare((db, v: ClaimKey & { until: string }) =>
    own(db, v).set({ heartbeat_until: v.until }),
  );
  const cancelQueued = store.prepare(
    (db, v: { id: string; now: string; cancel: string; error: string | null }) =>
      db
        .updateTable("runs")
        .set({
          status: "cancelled",
          ended_at: v.now,
          cancel: v.cancel,
          error: v.error,
          not_before: null,
          open_job: null,
        })
        .where("id", "=", v.id)
        .where("status", "=", "queued"),
  );
  const waitingAfter = store.prepare((db, v: { time: string; after: string; limit: number }) =>
    db
      .selectFrom("runs")
      .select(["id", "job_id", "not_before"])
      .where("not_before", ">", v.time)
      .where("id", ">", v.after)
      .orderBy("id")
      .limit(v.limit),
  );
  const wait = store.prepare((db, v: { id: string; before: string; not_before: string }) =>
    db
      .updateTable("runs")
      .set({ not_before: v.not_before })
      .where("id", "=", v.id)
      .where("not_before", "=", v.before),
  );
  const requestCancel = store.prepare((db, v: { id: string; cancel: string }) =>
    db.updateTable("runs").set({ cancel: v.cancel }).where("id", "=", v.id).where("status", "=", "running"),
  );
  return {
    ...createWaitingRuns(store),
    page: createRunPages(store),
    async get(id: string): Promise<StoredRun | undefined> {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      return row && runOf(row);
    },
    async bySlot(jobId: string, slot: string): Promise<Run | undefined> {
      const row = await store.one(bySlot({ job_id: jobId, slot }));
      return row && runOf(row).run;
    },
    /** Whether the job has a queued or running run whose slot does not begin with `slots`. */
    isOpenBesides: async (job: string, slots: string) =>
      (await store.one(openBesides({ job, slots }))) !== undefined,
    /** When the newest run of an environment whose slot begins with `slots` was queued. */
    newestIn: async (environmentId: string, slots: string) =>
      (await store.one(newestIn({ environment_id: environmentId, slots })))?.queued_at,
    slotOf: async (id: string) => (await store.one(slotOf({ id })))?.slot,
    /** A step that gives the running run this slot. It conflicts with another run of the job that has the slot. */
    moveTo,
    /** How many runs are queued and running, on all servers. */
    async unfinished(): Promise<{ readonly queued: number; readonly running: number }> {
      const counts = await store.all(unfinished({}));
      const count = (status: string) => Number(counts.find((row) => row.status === status)?.n ?? 0);
      return { queued: count("queued"), running: count("running") };
    },
    ownedBy: async (owner: string) => (await store.all(ownedBy({ owner }))).map(runOf),
    /** Whether any server executes a run, or has left one. */
    areRunning: async () => (await store.one(beating({}))) !== undefined,
    /** The heartbeats of all runs that any server executes, or has left. */
    heartbeats: () => store.all(heartbeats({})),
    insert: ({ jobId, environmentId, cause, ...run }: NewRun, now: string) =>
      insert({
        ...run,
        job_id: jobId,
        environment_id: environmentId,
        name: encodeJson(run.name),
        cause: encodeJson(cause),
        attempt: 0,
        queued_at: now,
        not_before: run.status === "queued" ? now : null,
        ended_at: run.status === "queued" ? null : now,
        metrics: "{}",
        open_job: run.status === "queued" ? jobId : null,
      }),
    claim,
    end,
    async quietBefore({ id, job_id }: Pick<Run, "id" | "job_id">) {
      const row = await store.one(quietBefore({ job: job_id, id }));
      if (!row || row.quiet === null) return undefined;
      return { id: row.id, quiet: parsed(row.quiet) as NonNullable<Run["quiet"]> };
    },
    removeQuiet,
    putBack,
    progress,
    renew,
    /** The queued runs that may not start before this time, by id after `after`. */
    waitingAfter: (time: string, after: string, limit: number) =>
      store.all(waitingAfter({ time, after, limit })),
    wait,
    cancelQueued,
    askToCancel: requestCancel,
  };
}

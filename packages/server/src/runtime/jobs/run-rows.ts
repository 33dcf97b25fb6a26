import type { Job, Run, RunCause } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { type Kysely, sql } from "kysely";
import type { HistoryStart } from "../../core/store/history-page.ts";
import { type ListParameters, listParameters, listSlots } from "../../core/store/list-parameters.ts";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { Share } from "./fair-share.ts";
import { parsed, remoteTrigger } from "./job-rows.ts";

type RunRow = Omit<Tables["runs"], "slot" | "open_job" | "holds" | "heartbeat_until">;

export const runColumns = [
  "runs.id",
  "runs.job_id",
  "runs.environment_id",
  "runs.status",
  "runs.cause",
  "runs.attempt",
  "runs.queued_at",
  "runs.not_before",
  "runs.started_at",
  "runs.ended_at",
  "runs.error",
  "runs.metrics",
  "runs.owner",
  "runs.cancel",
  "runs.caller",
  "runs.kind",
  "runs.name",
  "runs.quiet",
] as const;

/** A run and the server that executes it. */
export interface StoredRun {
  readonly run: Run;
  readonly owner: string | null;
  /** Who it counts for when callers share the slots; empty for a run older than this column. */
  readonly caller: string;
}

/** A new run. */
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

export interface RunFilter {
  readonly status?: Run["status"] | undefined;
  readonly job?: string | undefined;
  /** The name of the job when the run was queued. */
  readonly name?: string | undefined;
  readonly environmentId?: string | undefined;
  readonly environmentIds?: readonly string[] | undefined;
  /** Queued at this time or later, and before that. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/**
 * Runs of automations mostly wait for other runs, and runs in another system wait for that. They have separate execution
 * slots, so that they cannot block the runs that work here.
 */
export type Lane = "work" | "automations" | "remote";

type ClaimKey = { id: string; owner: string; attempt: number };

/** An id begins with the time of its run, so a range of times is a range of ids: about, because clocks differ. */
const slackMs = 3_600_000;

function idAt(time: string, shiftMs: number): string {
  const hex = Math.max(0, Date.parse(time) + shiftMs)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Queries and write steps for runs. */
export type RunRows = ReturnType<typeof createRunRows>;

export function createRunRows(store: Store) {
  const byId = store.prepare((db, v: { id: string }) =>
    db.selectFrom("runs").select(runColumns).where("id", "=", v.id),
  );
  const bySlot = store.prepare((db, v: { job_id: string; slot: string }) =>
    db.selectFrom("runs").select(runColumns).where("job_id", "=", v.job_id).where("slot", "=", v.slot),
  );
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
  const lost = store.prepare((db, v: { before: string }) =>
    db.selectFrom("runs").select(runColumns).where("heartbeat_until", "<", v.before),
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
  /** The run before it, if that moved nothing. */
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
  const requestCancel = store.prepare((db, v: { id: string; cancel: string }) =>
    db.updateTable("runs").set({ cancel: v.cancel }).where("id", "=", v.id).where("status", "=", "running"),
  );
  type Page = {
    status: string;
    job: string;
    name: string;
    environment: string;
    before: string;
    from: string;
    created_after: string;
    created_before: string;
    limit: number;
  } & ListParameters;
  /** Which filters apply; `environments` is the size of a list of environments. */
  interface PageShape {
    readonly status: boolean;
    readonly job: boolean;
    readonly name: boolean;
    readonly environmentId: boolean;
    readonly environments: number;
    readonly oldestFirst: boolean;
  }
  const page = (filter: PageShape) =>
    store.prepare((db, v: Page) => {
      let query = db
        .selectFrom("runs")
        .select(runColumns)
        .where("id", "<", v.before)
        .where("id", filter.oldestFirst ? ">" : ">=", v.from)
        .where("queued_at", ">=", v.created_after)
        .where("queued_at", "<", v.created_before);
      if (filter.status) query = query.where("status", "=", v.status);
      if (filter.job) query = query.where("job_id", "=", v.job);
      if (filter.name) {
        query = query
          .where(sql<boolean>`substr(runs.name, 1, 200) = substr(cast(${v.name} as text), 1, 200)`)
          .where("name", "=", v.name);
      }
      if (filter.environmentId) query = query.where("environment_id", "=", v.environment);
      if (filter.environments > 0) {
        query = query.where("environment_id", "in", listSlots(v, filter.environments));
      }
      return query.orderBy("id", filter.oldestFirst ? "asc" : "desc").limit(v.limit);
    });
  const pages = new Map<string, ReturnType<typeof page>>();

  return {
    async get(id: string): Promise<StoredRun | undefined> {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      return row && runOf(row);
    },
    async bySlot(jobId: string, slot: string): Promise<Run | undefined> {
      const row = await store.one(bySlot({ job_id: jobId, slot }));
      return row && runOf(row).run;
    },
    /** Whether the job has a queued or running run whose slot does not begin like this. */
    isOpenBesides: async (job: string, slots: string) =>
      (await store.one(openBesides({ job, slots }))) !== undefined,
    /** When the newest run of an environment whose slot begins like this was queued. */
    newestIn: async (environmentId: string, slots: string) =>
      (await store.one(newestIn({ environment_id: environmentId, slots })))?.queued_at,
    slotOf: async (id: string) => (await store.one(slotOf({ id })))?.slot,
    /** A step: the running run has this slot from now on. Another run of the job that has it is a conflict. */
    moveTo,
    /** Whether this caller has at least so many queued runs. */
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
    /** How many runs are queued and running, on all servers. */
    async unfinished(): Promise<{ readonly queued: number; readonly running: number }> {
      const counts = await store.all(unfinished({}));
      const count = (status: string) => Number(counts.find((row) => row.status === status)?.n ?? 0);
      return { queued: count("queued"), running: count("running") };
    },
    ownedBy: async (owner: string) => (await store.all(ownedBy({ owner }))).map(runOf),
    /** Whether any server executes a run, or has left one. */
    areRunning: async () => (await store.one(beating({}))) !== undefined,
    /** Runs whose heartbeat has expired. */
    lost: async (before: string) => (await store.all(lost({ before }))).map(runOf),
    async page(
      { status, job, name, environmentId, environmentIds, createdAfter, createdBefore }: RunFilter,
      { after, oldestFirst }: HistoryStart,
      limit: number,
    ) {
      if (job?.includes("\0") || after?.value.includes("\0") || environmentIds?.length === 0) return [];
      const some = environmentIds && listParameters(environmentIds);
      const has = {
        environments: some?.size ?? 0,
        status: status !== undefined,
        job: job !== undefined,
        name: name !== undefined,
        environmentId: environmentId !== undefined,
        oldestFirst,
      };
      const key = JSON.stringify(has);
      const query = pages.get(key) ?? page(has);
      pages.set(key, query);
      const values = {
        status: status ?? "",
        job: job ?? "",
        name: name === undefined ? "" : encodeJson(name),
        environment: environmentId ?? "",
      };
      // Ids contain no "~", so all of them sort before it.
      const newest = createdBefore === undefined ? "~" : idAt(createdBefore, slackMs);
      const oldest = createdAfter === undefined ? "" : idAt(createdAfter, -slackMs);
      const ranges = {
        before: after && !oldestFirst && after.value < newest ? after.value : newest,
        from: after && oldestFirst && after.value > oldest ? after.value : oldest,
        created_after: createdAfter ?? "",
        // Digits only: the order of other characters depends on the locale of the database.
        created_before: createdBefore ?? "9999",
      };
      const rows = await store.all(query({ ...values, ...some?.parameters, ...ranges, limit }));
      return rows.map((row) => runOf(row).run);
    },
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
    cancelQueued,
    askToCancel: requestCancel,
  };
}

export function runOf(stored: RunRow): StoredRun {
  const { owner, cancel, cause, metrics, status, caller, kind, name, quiet, ...row } = stored;
  const run: Run = {
    ...row,
    kind: kind as Run["kind"],
    name: name === null ? null : (parsed(name) as string),
    status: status as Run["status"],
    cause: parsed(cause) as RunCause,
    metrics: parsed(metrics) as Run["metrics"],
    cancelled: cancel === null ? null : (parsed(cancel) as Run["cancelled"]),
    ...(quiet !== null && { quiet: parsed(quiet) as NonNullable<Run["quiet"]> }),
  };
  return { run, owner, caller: caller ?? "" };
}

import type { Job, JobDefinition, JobPause } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { type Kysely, sql } from "kysely";
import type { Store } from "../../core/store/store.ts";
import type { Tables } from "../../core/store/tables.ts";

export interface StoredJob {
  readonly id: string;
  readonly environmentId: string;
  readonly name: string;
  readonly kind: Job["kind"];
  readonly subject: string;
  readonly definition: JobDefinition;
  readonly paused: JobPause | null;
  readonly nextAt: string | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly version: number;
  /** Who created or last changed the job; null for a job older than this column. */
  readonly installedBy: string | null;
  /** Whether a run is queued or running. */
  readonly open: boolean;
  /** The job's id in the system that triggers and runs it; null: this server does. */
  readonly reference: string | null;
}

/** A job as its metrics show it. */
export interface MeasuredJob extends Pick<StoredJob, "id" | "name" | "kind" | "environmentId" | "failures"> {
  readonly createdAt: string;
  readonly succeededAt: string | null;
}

/** The trigger column of a job that another system triggers and runs: this server does not use its definition. */
export const remoteTrigger = "remote";

/**
 * The memory of a job that another system runs is its id there. An id has exactly one text, so that the job can be
 * found by it.
 */
export const referenceText = (reference: string): string => encodeJson({ reference });

/** A job that waits for a time. */
export interface DueJobRow {
  readonly id: string;
  readonly version: number;
  readonly nextAt: string;
  readonly definition: JobDefinition;
}

const columns = [
  "jobs.id",
  "jobs.environment_id",
  "jobs.name",
  "jobs.kind",
  "jobs.subject",
  "jobs.definition",
  "jobs.paused",
  "jobs.next_at",
  "jobs.failures",
  "jobs.problem",
  "jobs.version",
  "jobs.installed_by",
] as const;

interface JobColumns {
  readonly id: string;
  readonly environment_id: string;
  readonly name: string;
  readonly kind: string;
  readonly subject: string;
  readonly definition: string;
  readonly paused: string | null;
  readonly next_at: string | null;
  readonly failures: number;
  readonly problem: string | null;
  readonly version: number;
  readonly installed_by: string | null;
  /** The memory of a job that another system runs. */
  readonly remote: string | null;
  readonly open: unknown;
}

/** Queries and write steps for jobs. */
export type JobRows = ReturnType<typeof createJobRows>;

export function createJobRows(store: Store) {
  const jobs = (db: Kysely<Tables>) =>
    db
      .selectFrom("jobs")
      .select(columns)
      .select(
        sql<string | null>`case when jobs.trigger = ${sql.lit(remoteTrigger)} then jobs.memory end`.as(
          "remote",
        ),
      )
      .select(sql<unknown>`exists (select 1 from runs where runs.open_job = jobs.id)`.as("open"));

  const byId = store.prepare((db, v: { id: string }) => jobs(db).where("jobs.id", "=", v.id));
  const byReference = store.prepare((db, v: { memory: string }) =>
    jobs(db).where("jobs.trigger", "=", remoteTrigger).where("jobs.memory", "=", v.memory).limit(2),
  );
  const remoteIn = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("jobs")
      .select(["id", "kind", "memory", "created_at"])
      .where("trigger", "=", remoteTrigger)
      .where("environment_id", "=", v.environment_id),
  );
  const remoteEnvironments = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("jobs").select("environment_id").where("trigger", "=", remoteTrigger).distinct(),
  );
  const due = store.prepare((db, v: { now: string; limit: number }) =>
    jobs(db).where("next_at", "<=", v.now).orderBy("next_at").limit(v.limit),
  );
  const pausesOver = store.prepare((db, v: { now: string; limit: number }) =>
    jobs(db).where("paused_until", "<=", v.now).orderBy("paused_until").limit(v.limit),
  );
  const earliest = (column: "next_at" | "paused_until") =>
    store.prepare((db, _: Record<string, never>) =>
      db
        .selectFrom("jobs")
        .select(sql.ref<string>(column).as("at"))
        .where(column, "is not", null)
        .orderBy(column)
        .limit(1),
    );
  /** Each is one lookup in a partial index. */
  const earliestOfAll = store.prepare((db, _: Record<string, never>) =>
    db.selectNoFrom([
      sql<string | null>`(select min(next_at) from jobs where next_at is not null)`.as("slot"),
      sql<string | null>`(select min(paused_until) from jobs where paused_until is not null)`.as("pause"),
      sql<string | null>`(select min(not_before) from runs where not_before is not null)`.as("run"),
    ]),
  );
  const earliestDue = earliest("next_at");
  const earliestPause = earliest("paused_until");
  const memory = store.prepare((db, v: { id: string }) =>
    db.selectFrom("jobs").select("memory").where("id", "=", v.id),
  );
  const waitingForFiles = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("jobs")
      .select(["id", "environment_id", "subject", "definition"])
      .where("trigger", "=", "file_arrival"),
  );
  const waitingForTables = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("jobs")
      .select(["id", "environment_id", "definition", "memory"])
      .where("trigger", "=", "table_update"),
  );
  const filesStamp = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("jobs")
      .select((eb) => [eb.fn.countAll<number>().as("n"), eb.fn.max("installed_at").as("at")])
      .where("trigger", "=", "file_arrival"),
  );
  const advance = store.prepare(
    (db, v: { id: string; version: number; next_at: string | null; paused: string | null }) =>
      db
        .updateTable("jobs")
        .set((eb) => ({ next_at: v.next_at, paused: v.paused, version: eb("version", "+", 1) }))
        .where("id", "=", v.id)
        .where("version", "=", v.version),
  );
  const reschedule = store.prepare((db, v: { id: string; version: number; next_at: string | null }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({ next_at: v.next_at, version: eb("version", "+", 1) }))
      .where("id", "=", v.id)
      .where("version", "=", v.version),
  );
  const dueAfter = store.prepare((db, v: { time: string; after: string; limit: number }) =>
    db
      .selectFrom("jobs")
      .select(["id", "version", "next_at", "definition"])
      .where("next_at", ">", v.time)
      .where("id", ">", v.after)
      .orderBy("id")
      .limit(v.limit),
  );
  const endPause = store.prepare((db, v: { id: string; version: number; next_at: string | null }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({ next_at: v.next_at, paused: null, paused_until: null, version: eb("version", "+", 1) }))
      .where("id", "=", v.id)
      .where("version", "=", v.version),
  );
  const updateMemory = store.prepare(
    (db, v: { id: string; version: number; memory: string; paused: string | null }) =>
      db
        .updateTable("jobs")
        .set((eb) => ({ memory: v.memory, paused: v.paused, version: eb("version", "+", 1) }))
        .where("id", "=", v.id)
        .where("version", "=", v.version),
  );
  /** Retention keeps the last run of each job that succeeded. */
  const measured = store.prepare((db, v: { limit: number }) =>
    db
      .selectFrom("jobs")
      .select(["id", "name", "kind", "environment_id", "failures", "created_at"])
      .select((eb) =>
        eb
          .selectFrom("runs")
          .select("ended_at")
          .whereRef("runs.job_id", "=", "jobs.id")
          .where("status", "=", sql.lit("succeeded"))
          .orderBy("runs.id", "desc")
          .limit(1)
          .as("succeeded_at"),
      )
      .orderBy("created_at")
      .orderBy("id")
      .limit(v.limit),
  );
  const setProblem = store.prepare((db, v: { id: string; problem: string | null }) =>
    db.updateTable("jobs").set({ problem: v.problem }).where("id", "=", v.id),
  );
  const succeeded = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({ failures: 0, version: eb("version", "+", 1) }))
      .where("id", "=", v.id),
  );
  const failed = store.prepare((db, v: { id: string }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({ failures: eb("failures", "+", 1), version: eb("version", "+", 1) }))
      .where("id", "=", v.id),
  );
  const scheduleLive = store.prepare((db, v: { id: string; next_at: string }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({ next_at: v.next_at, version: eb("version", "+", 1) }))
      .where("id", "=", v.id)
      .where("trigger", "=", "live"),
  );

  return {
    async get(id: string): Promise<StoredJob | undefined> {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      return row && jobOf(row);
    },
    /** Finds a job by its id, or by its id in the system that runs it if only one job has that id. */
    async find(id: string): Promise<StoredJob | undefined> {
      if (id.includes("\0")) return undefined;
      const row = await store.one(byId({ id }));
      if (row || !isReference(id)) return row && jobOf(row);
      const [found, other] = await store.all(byReference({ memory: referenceText(id) }));
      return found && !other ? jobOf(found) : undefined;
    },
    /** The jobs of an environment that another system runs. */
    async remoteIn(environmentId: string) {
      const rows = await store.all(remoteIn({ environment_id: environmentId }));
      return rows.map(({ memory, ...job }) => ({ ...job, reference: referenceIn(memory) }));
    },
    /** The environments with jobs that another system runs. */
    remoteEnvironments: async () =>
      (await store.all(remoteEnvironments({}))).map(({ environment_id }) => environment_id),
    due: async (now: string, limit: number) => (await store.all(due({ now, limit }))).map(jobOf),
    pausesOver: async (now: string, limit: number) =>
      (await store.all(pausesOver({ now, limit }))).map(jobOf),
    /** The jobs that are due later than this, by id after `after`. */
    dueAfter: async (time: string, after: string, limit: number): Promise<DueJobRow[]> =>
      (await store.all(dueAfter({ time, after, limit }))).map(({ id, version, next_at, definition }) => ({
        id,
        version,
        nextAt: next_at ?? time,
        definition: parsed(definition) as JobDefinition,
      })),
    /** When the next job is due; undefined: not until something changes. */
    async earliest(): Promise<string | undefined> {
      const found = [await store.one(earliestDue({})), await store.one(earliestPause({}))];
      return found.flatMap((row) => row?.at ?? []).sort()[0];
    },
    /** The same, including the runs that wait for a worker. */
    async earliestOfAll(): Promise<string | undefined> {
      const { slot, pause, run } = (await store.one(earliestOfAll({}))) ?? {};
      return [slot, pause, run].filter((at) => typeof at === "string").sort()[0];
    },
    /** The oldest jobs, with what their metrics need. */
    measured: async (limit: number): Promise<MeasuredJob[]> =>
      (await store.all(measured({ limit }))).map((row) => ({
        id: row.id,
        name: String(parsed(row.name)),
        kind: row.kind as Job["kind"],
        environmentId: row.environment_id,
        failures: row.failures,
        createdAt: row.created_at,
        succeededAt: row.succeeded_at,
      })),
    memory: async (id: string): Promise<unknown> => parsed((await store.one(memory({ id })))?.memory ?? "{}"),
    async waitingForTables() {
      const rows = await store.all(waitingForTables({}));
      return rows.map(({ memory, ...row }) => ({ ...watcherOf(row), memory: parsed(memory) }));
    },
    waitingForFiles: async () =>
      (await store.all(waitingForFiles({}))).map((row) => ({ ...watcherOf(row), subject: row.subject })),
    /** A text that changes whenever a job with a file trigger is installed or removed. */
    async filesStamp(): Promise<string> {
      const row = await store.one(filesStamp({}));
      return `${row?.n} ${row?.at}`;
    },
    advance,
    reschedule,
    endPause,
    remember: updateMemory,
    tellProblem: setProblem,
    succeeded,
    failed,
    goOnLive: scheduleLive,
  };
}

function jobOf({
  environment_id,
  next_at,
  definition,
  paused,
  kind,
  open,
  name,
  installed_by,
  remote,
  ...row
}: JobColumns): StoredJob {
  return {
    ...row,
    reference: remote === null ? null : referenceIn(remote),
    name: String(parsed(name)),
    kind: kind as Job["kind"],
    environmentId: environment_id,
    nextAt: next_at,
    installedBy: installed_by,
    definition: parsed(definition) as JobDefinition,
    paused: paused === null ? null : (parsed(paused) as JobPause),
    open: Boolean(open),
  };
}

/** Ids of other systems are numbers or UUIDs. */
const isReference = (id: string) => /^[0-9a-f-]{1,64}$/i.test(id);

const referenceIn = (memory: string): string =>
  String((parsed(memory) as { readonly reference?: unknown }).reference ?? "");

const watcherOf = (row: Pick<JobColumns, "id" | "environment_id" | "definition">) => ({
  id: row.id,
  environmentId: row.environment_id,
  definition: parsed(row.definition) as JobDefinition,
});

/** Parses JSON that we have written; numbers of any size keep their digits. */
export function parsed(text: string): unknown {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("A stored document is not valid JSON.");
  return read.value;
}

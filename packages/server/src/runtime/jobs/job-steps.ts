import type { Job, JobDefinition, JobPause, JobTrigger, ScheduleOverride } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { firstFiring } from "@lakehelm/schedule";
import { sql } from "kysely";
import { keyOf } from "../../core/store/collection.ts";
import type { Change, ChangeContext, Step, Store } from "../../core/store/store.ts";
import type { Settings } from "../../settings.ts";
import { referenceText, remoteTrigger } from "./job-rows.ts";

/** A job to install. Its id is derived from its subject: `connector-<id>`. */
interface JobInstallation {
  readonly id: string;
  readonly environmentId: string;
  readonly kind: Job["kind"];
  readonly subject: string;
  readonly name: string;
  readonly definition: JobDefinition;
  /** A new job starts with this pause. */
  readonly pause?: Omit<ScheduleOverride, "paused"> | undefined;
  /** The job's id in the system that triggers and runs it. Absent: this server does. */
  readonly reference?: string;
}

/** Steps and events for another resource's change. */
type JobChange = Pick<Change, "steps" | "events">;

/** Steps that install, pause and remove jobs in the transaction of their owner. */
export interface JobSteps {
  /** Replaces an installed job; the memory of its trigger and its pause are kept. */
  install(job: JobInstallation, context: ChangeContext): Step[];
  /** Cancels queued runs; a worker stops a running one as soon as it notices. */
  remove(id: string, context: ChangeContext): Step[];
  /** Replaces an existing pause: missed slots are counted from now on. */
  pause(id: string, pause: Pick<ScheduleOverride, "reason" | "until">, context: ChangeContext): JobChange;
  /** Continues with the next slot; slots during the pause are not run. */
  resume(id: string, context: ChangeContext): JobChange;
}

export function createJobSteps(store: Store): JobSteps {
  type Columns = {
    id: string;
    environment_id: string;
    kind: string;
    subject: string;
    name: string;
    definition: string;
    trigger: string;
    memory: string;
    problem: string | null;
    next_at: string | null;
    paused: string | null;
    paused_until: string | null;
    now: string;
    by: string;
  };
  const install = store.prepare((db, v: Columns) =>
    db
      .insertInto("jobs")
      .values({
        id: v.id,
        environment_id: v.environment_id,
        kind: v.kind,
        subject: v.subject,
        name: v.name,
        definition: v.definition,
        trigger: v.trigger,
        memory: v.memory,
        failures: 0,
        problem: v.problem,
        next_at: v.next_at,
        paused: v.paused,
        paused_until: v.paused_until,
        created_at: v.now,
        installed_at: v.now,
        installed_by: v.by,
        version: 1,
      })
      .onConflict((oc) =>
        oc.column("id").doUpdateSet((eb) => ({
          name: eb.ref("excluded.name"),
          definition: eb.ref("excluded.definition"),
          trigger: eb.ref("excluded.trigger"),
          memory: sql<string>`case when jobs.trigger = excluded.trigger and jobs.trigger <> ${sql.lit(remoteTrigger)}
            then jobs.memory else excluded.memory end`,
          problem: eb.ref("excluded.problem"),
          installed_at: eb.ref("excluded.installed_at"),
          installed_by: eb.ref("excluded.installed_by"),
          // A slot that is due right now must not be lost because the job is renamed.
          next_at: sql<
            string | null
          >`case when jobs.definition = excluded.definition then jobs.next_at else excluded.next_at end`,
          version: eb("jobs.version", "+", 1),
        })),
      ),
  );
  const remove = store.prepare((db, v: { id: string }) => db.deleteFrom("jobs").where("id", "=", v.id));
  const stopRuns = store.prepare((db, v: { id: string; cancel: string }) =>
    db
      .updateTable("runs")
      .set({ cancel: v.cancel })
      .where("open_job", "=", v.id)
      .where("status", "=", "running"),
  );
  const pause = store.prepare((db, v: { id: string; paused: string; until: string | null }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({
        paused: v.paused,
        paused_until: eb
          .case()
          .when("trigger", "=", remoteTrigger)
          .then(null)
          .else(eb.cast<string | null>(eb.val(v.until), "text"))
          .end(),
        version: eb("version", "+", 1),
      }))
      .where("id", "=", v.id),
  );
  const resume = store.prepare((db, v: { id: string; now: string }) =>
    db
      .updateTable("jobs")
      .set((eb) => ({
        paused: null,
        paused_until: null,
        // A paused schedule keeps counting slots; a live job has stopped.
        next_at: eb
          .case()
          .when("trigger", "=", "live")
          .then(eb.cast<string | null>(eb.val(v.now), "text"))
          .else(eb.ref("next_at"))
          .end(),
        version: eb("version", "+", 1),
      }))
      .where("id", "=", v.id)
      .where("paused", "is not", null),
  );

  return {
    install({ definition, environmentId, pause, reference, ...job }, { time, actor }) {
      const { trigger } = definition;
      const read = readTrigger(trigger, new Date(time));
      const ours = {
        trigger: trigger.kind,
        memory: encodeJson(trigger.kind === "table_update" ? { since: time } : {}),
        next_at: "problem" in read ? null : read.nextAt,
        paused_until: pause?.until ?? null,
      };
      // The other system fires the trigger, and the owner of the job ends its pause.
      const remote = { trigger: remoteTrigger, next_at: null, paused_until: null };
      const row = {
        ...job,
        // As JSON: a name may contain NUL, which PostgreSQL rejects in text.
        name: encodeJson(job.name),
        environment_id: environmentId,
        definition: encodeJson(definition),
        ...(reference === undefined ? ours : { ...remote, memory: referenceText(reference) }),
        problem: "problem" in read ? read.problem : null,
        paused: pause ? encodeJson(pausedBy(pause)) : null,
        now: time,
        by: keyOf(actor),
      };
      return [install(row)];
    },
    remove: (id, { actor, time }) => [
      stopRuns({ id, cancel: encodeJson({ by: actor, at: time }) }),
      remove({ id }),
    ],
    pause(id, { reason, until }, { actor, time }) {
      const paused = encodeJson(pausedBy({ by: actor, at: time, reason, until }));
      return {
        steps: [pause({ id, paused, until })],
        events: [{ kind: "job.paused", subject: `job/${id}`, data: { reason, until } }],
      };
    },
    resume: (id, { time }) => ({
      steps: [resume({ id, now: time })],
      events: [{ kind: "job.resumed", subject: `job/${id}`, data: {} }],
    }),
  };
}

const pausedBy = ({ by, at, reason, until }: Omit<ScheduleOverride, "paused">): JobPause => ({
  by,
  at,
  reason,
  until,
  missed: 0,
  last_missed: null,
});

/** A job keeps its id for the life of its subject; an automation has one job per environment. */
export const jobIdOf = (subject: string, environmentId: string): string =>
  subject.startsWith("automation/")
    ? `${subject.replace("/", "-")}-${environmentId}`
    : subject.replace("/", "-");

export type Trigger = JobTrigger;
type Policy = Omit<JobDefinition, "trigger">;

/** A job definition from a trigger, with defaults for what the policy leaves out. */
export function definitionOf(
  trigger: Trigger,
  { PLATFORM_RUN_TIMEOUT_SECONDS }: Pick<Settings, "PLATFORM_RUN_TIMEOUT_SECONDS">,
  policy: Partial<Policy> = {},
): JobDefinition {
  return {
    trigger,
    attempts: 3,
    backoff_seconds: 10,
    max_backoff_seconds: 300,
    timeout_seconds: PLATFORM_RUN_TIMEOUT_SECONDS,
    overlap: false,
    ...policy,
  };
}

/** Always running, with the default pauses. */
export const live: Trigger = {
  kind: "live",
  pause_seconds: 1,
  backoff_seconds: 1,
  max_backoff_seconds: 300,
};

/** When the scheduler must first look at a job with this trigger (null: never), or why the trigger could never fire. */
type TriggerReading = { readonly nextAt: string | null } | { readonly problem: string };

function readTrigger(trigger: Trigger, now: Date): TriggerReading {
  if (trigger.kind === "live") return { nextAt: now.toISOString() };
  if (trigger.kind !== "cron") return { nextAt: null };
  const first = firstFiring(trigger.cron, trigger.timezone, now.getTime());
  return "problem" in first ? first : { nextAt: isoOf(first.at) };
}

/** Why a trigger could never fire, as a message for its author. */
export function triggerProblem(trigger: Trigger, now: Date): string | undefined {
  const read = readTrigger(trigger, now);
  return "problem" in read ? read.problem : undefined;
}

export const isoOf = (instant: number | undefined): string | null =>
  instant === undefined ? null : new Date(instant).toISOString();

export function sentenceOf(trigger: Trigger): string {
  switch (trigger.kind) {
    case "cron":
      return `By the cron expression "${trigger.cron}" in ${trigger.timezone}.`;
    case "table_update":
      return (
        `When ${trigger.condition === "any" ? "any" : "all"} of ${trigger.tables.join(", ")} ` +
        `change and then stay unchanged for ${trigger.quiet_seconds} s, ` +
        `at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "file_arrival":
      return (
        `When files at ${trigger.path} are added or changed and then stay unchanged for ` +
        `${trigger.quiet_seconds} s, at least ${trigger.minimum_seconds} s after the last run.`
      );
    case "live":
      return "Continuously: a new run starts when the last one ends.";
    case "manual":
      return "Only when you start it.";
  }
}

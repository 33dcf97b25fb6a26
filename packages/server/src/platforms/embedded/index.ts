import type { JobTrigger, ScheduleOverride } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Engine } from "@lakehelm/engine";
import { definitionOf, triggerProblem } from "../../jobs/definition.ts";
import type { JobSteps } from "../../jobs/installing.ts";
import type { Parts } from "../../parts.ts";
import type { By, Step } from "../../store/store.ts";
import { knownTable } from "../known-table.ts";
import type { Intent, Platform, Within } from "../platform.ts";
import { connectorTrigger, type DeclaredConnector } from "./connector-trigger.ts";

/** What nouns tell with `job.install` and `job.pause`. */
type JobData =
  | (DeclaredConnector & { readonly name: string })
  | { readonly name: string; readonly trigger: JobTrigger };

/**
 * The embedded platform. Its state is in our own store, so being asked is part of the change that asks: it is done with it, or
 * not at all, and is there after a restart. Its data is the engine's.
 */
export function createEmbeddedPlatform(
  { store, settings, nature }: Parts,
  jobs: JobSteps,
  engine: Engine,
): Platform {
  const insert = store.prepare(
    (db, v: { id: string; environment_id: string; kind: string; subject: string; data: string }) =>
      db.insertInto("embedded_records").values({
        id: v.id,
        environment_id: v.environment_id,
        kind: v.kind,
        subject: v.subject,
        data: v.data,
      }),
  );

  function install({ environmentId, subject, data }: Intent, by: By): Within {
    const job = data as unknown as JobData;
    const read = "trigger" in job ? job : connectorTrigger(job);
    if ("problem" in read) return refused(read.problem);
    const problem = triggerProblem(read.trigger);
    if (problem !== undefined) return refused(problem);
    const id = jobIdOf(subject);
    const kind = subject.startsWith("flow/") ? "flow" : "connector";
    const definition = definitionOf(read.trigger, settings);
    const steps = jobs.install({ id, environmentId, kind, subject, name: job.name, definition }, by);
    return { steps, outcome: { done: true, reference: id } };
  }

  function ofJob(intent: Intent): Within | undefined {
    const { kind, subject, data } = intent;
    const pause = data.pause as ScheduleOverride | undefined;
    const by: By = { actor: pause?.by ?? "lakehelm", requestId: null, time: nature.now().toISOString() };
    const id = jobIdOf(subject);
    const done = (steps: readonly Step[]): Within => ({
      steps: [...steps],
      outcome: { done: true, reference: null },
    });
    if (kind === "job.install") return install(intent, by);
    if (kind === "job.remove") return done(jobs.remove(id, by));
    if (kind === "job.resume") return done(jobs.resume(id, by).steps);
    if (kind === "job.pause") return done(jobs.pause(id, pause ?? { reason: null, until: null }, by).steps);
    return undefined;
  }

  return {
    name: "embedded",
    capabilities: {
      connectorTargets: [
        "postgresql",
        "postgres",
        "mysql",
        "sqlite",
        "duckdb",
        "csv",
        "jsonl",
        "parquet",
        "http",
        "warehouse",
      ],
    },
    warehouse: engine,
    describeTable: (environmentId, table) => knownTable(engine, environmentId, table),
    within(intent) {
      const { id, environmentId, kind, subject, data } = intent;
      const job = hasJob(subject) ? ofJob(intent) : undefined;
      if (job) return job;
      const row = insert({ id, environment_id: environmentId, kind, subject, data: encodeJson(data) });
      return { steps: [row], outcome: { done: true, reference: referenceOf(intent) } };
    },
    perform: async ({ kind }) => ({ done: false, reason: `The embedded platform does not know ${kind}.` }),
  };
}

const refused = (reason: string): Within => ({ steps: [], outcome: { done: false, reason } });

/** What else has a job is recorded for now, and runs when its part of the platform is there. */
const hasJob = (subject: string): boolean => /^(?:connector|flow)\//.test(subject);

/** A job keeps one id for as long as its subject lives. */
const jobIdOf = (subject: string): string => subject.replace("/", "-");

const referenceOf = ({ kind, subject }: Intent): string | null =>
  kind === "job.install" || kind === "pipeline.install" ? jobIdOf(subject) : null;

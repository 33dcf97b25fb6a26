import type { JobDefinition, JobTrigger, ScheduleOverride } from "@lakehelm/contract";
import type { Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../../core/dependencies.ts";
import type { ChangeContext, Step } from "../../../core/store/store.ts";
import { serverContext } from "../../../core/system.ts";
import { definitionOf, triggerProblem } from "../../jobs/definition.ts";
import type { JobSteps } from "../../jobs/job-steps.ts";
import { watchedPathProblem } from "../../jobs/watched-path.ts";
import { performComponent, runsAsProcess, uiAppRefusal } from "../../processes/components.ts";
import type { Processes } from "../../processes/processes.ts";
import { knownTable } from "../known-table.ts";
import type { Platform, PlatformOutcome, PlatformRequest, TransactionalResult } from "../platform.ts";
import { connectorTrigger, type DeclaredConnector } from "./connector-trigger.ts";
import { jobIdOf } from "./job-id.ts";
import { type DeclaredPipeline, pipelineTrigger } from "./pipeline-trigger.ts";

/** The data of `job.install` and `job.pause`. */
type JobData =
  | (DeclaredConnector & { readonly name: string })
  | {
      readonly name: string;
      readonly trigger: JobTrigger;
      readonly policy?: Partial<JobDefinition>;
      /** A new job starts with this pause. */
      readonly pause?: ScheduleOverride;
    };

/**
 * The embedded platform. Its state is in our own store, so requests are part of the requesting transaction: they are
 * done with it or not at all, and survive a restart. Its data belongs to the engine. Only processes are started and
 * stopped after the transaction.
 */
export function createEmbeddedPlatform(
  { settings, system }: Pick<Dependencies, "settings" | "system">,
  jobs: JobSteps,
  engine: Engine,
  processes: Pick<Processes, "deploy" | "stop">,
): Platform {
  const pathProblem = (path: string) => watchedPathProblem(path, settings.PLATFORM_DATA_DIR);

  function install(
    { environmentId, subject, data }: PlatformRequest,
    context: ChangeContext,
  ): TransactionalResult {
    const job = data as unknown as JobData;
    const read = "trigger" in job ? job : connectorTrigger(job);
    const id = jobIdOf(subject, environmentId);
    const kind = kindOf(subject);
    // The job of a former release must not continue with the tasks of another.
    const refused = (reason: string): TransactionalResult => ({
      steps: kind === "automation" ? jobs.remove(id, context) : [],
      outcome: { done: false, reason },
    });
    if ("problem" in read) return refused(read.problem);
    const problem =
      read.trigger.kind === "file_arrival"
        ? pathProblem(read.trigger.path)
        : triggerProblem(read.trigger, new Date(context.time));
    if (problem !== undefined) return refused(problem);
    const { policy, pause } = "trigger" in job ? job : {};
    const definition = definitionOf(read.trigger, settings, policy);
    const steps = jobs.install(
      { id, environmentId, kind, subject, name: job.name, definition, pause },
      context,
    );
    return { steps, outcome: { done: true, reference: id } };
  }

  function ofJob(request: PlatformRequest): TransactionalResult | undefined {
    const { kind, subject, environmentId, data } = request;
    const pause = data.pause as ScheduleOverride | undefined;
    const context: ChangeContext = {
      actor: pause?.by ?? "lakehelm",
      requestId: null,
      time: system.now().toISOString(),
    };
    const id = jobIdOf(subject, environmentId);
    const done = (steps: readonly Step[]): TransactionalResult => ({
      steps: [...steps],
      outcome: { done: true, reference: null },
    });
    if (kind === "job.install") return install(request, context);
    if (kind === "job.remove") return done(jobs.remove(id, context));
    if (kind === "job.resume") return done(jobs.resume(id, context).steps);
    if (kind === "job.pause") {
      const since = { ...context, time: pause?.at ?? context.time };
      return done(jobs.pause(id, pause ?? { reason: null, until: null }, since).steps);
    }
    return undefined;
  }

  function ofPipeline({
    kind,
    environmentId,
    subject,
    data,
  }: PlatformRequest): TransactionalResult | undefined {
    const context = serverContext(system);
    const id = jobIdOf(subject, environmentId);
    if (kind === "pipeline.remove") {
      return { steps: jobs.remove(id, context), outcome: { done: true, reference: null } };
    }
    if (kind !== "pipeline.install") return undefined;
    const declared = data as unknown as DeclaredPipeline;
    const read = pipelineTrigger(declared);
    // An invalid job does not run, and neither does its predecessor.
    if ("problem" in read) {
      return { steps: jobs.remove(id, context), outcome: { done: false, reason: read.problem } };
    }
    const definition = definitionOf(read.trigger, settings);
    const job = { id, environmentId, kind: "pipeline", subject, name: declared.name, definition } as const;
    return { steps: jobs.install(job, context), outcome: { done: true, reference: id } };
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
    needsData: true,
    pathProblem,
    within(request) {
      if (runsAsProcess(request)) return undefined;
      const refusal = uiAppRefusal(request);
      if (refusal) return refusal;
      const job = hasJob(request.subject) ? ofJob(request) : ofPipeline(request);
      // The state of the agent is all there is to its chat.
      return job ?? { steps: [], outcome: { done: true, reference: null } };
    },
    perform: async (request): Promise<PlatformOutcome> =>
      runsAsProcess(request)
        ? performComponent(processes, request)
        : { done: false, reason: `The embedded platform does not know ${request.kind}.` },
  };
}

const hasJob = (subject: string): boolean => /^(?:connector|flow|automation)\//.test(subject);

const kindOf = (subject: string) =>
  subject.startsWith("automation/") ? "automation" : subject.startsWith("flow/") ? "flow" : "connector";

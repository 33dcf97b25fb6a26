import { isMap } from "@lakehelm/contract/connections";
import { isS3Path } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { type ChangeContext, isSubject, type Step } from "../../core/store/store.ts";
import { serverContext } from "../../core/system.ts";
import { definitionOf, type JobSteps, jobIdOf, triggerProblem } from "../jobs/job-steps.ts";
import { watchedDatasets } from "../jobs/watched-datasets.ts";
import { connectorTrigger } from "./connector-trigger.ts";
import { pipelineTrigger } from "./pipeline-trigger.ts";
import type { TransactionalResult } from "./platform.ts";
import type {
  DeclaredConnector,
  PlatformJobRequest,
  PlatformPipelineRequest,
  PlatformRequest,
} from "./platform-request.ts";

/**
 * Jobs that this server triggers and runs itself. They are in our own store, so requests are part of the requesting transaction:
 * they are done with it or not at all, and survive a restart.
 */
export interface ServerJobs {
  /** Undefined: the request is not about a job. */
  within(request: PlatformRequest): TransactionalResult | undefined;
}

export function createServerJobs(
  platform: string,
  { settings, system }: Pick<Dependencies, "settings" | "system">,
  jobs: JobSteps,
  /** Why a job could never wait for files at a path. */
  pathProblem: (path: string) => string | undefined,
): ServerJobs {
  function install(
    { environmentId, subject, data }: PlatformJobRequest,
    context: ChangeContext,
  ): TransactionalResult {
    const read = declaredTrigger(data);
    const id = jobIdOf(subject, environmentId);
    const kind = kindOf(subject);
    // After a refusal, an automation must not continue with the tasks of its former release, nor a flow with its former
    // definition.
    const refused = (reason: string): TransactionalResult => ({
      steps: kind === "connector" ? [] : jobs.remove(id, context),
      outcome: { done: false, reason },
    });
    if ("problem" in read) return refused(read.problem);
    if ("refusal" in data && data.refusal !== undefined) return refused(data.refusal);
    const problem =
      read.trigger.kind === "file_arrival"
        ? "execution_mode" in data && isS3Path(read.trigger.path)
          ? remotePathProblem(read.trigger.path, data)
          : pathProblem(read.trigger.path)
        : triggerProblem(read.trigger, new Date(context.time));
    if (problem !== undefined) return refused(problem);
    const policy = "policy" in data ? data.policy : undefined;
    const definition = definitionOf(read.trigger, settings, policy);
    const steps = jobs.install(
      { id, environmentId, kind, subject, name: nameOf(data), definition, pause: data.pause },
      context,
    );
    return { steps, outcome: { done: true, reference: id } };
  }

  function ofJob(request: PlatformJobRequest): TransactionalResult {
    const { kind, subject, environmentId, data } = request;
    const { pause } = data;
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
    const since = { ...context, time: pause?.at ?? context.time };
    return done(jobs.pause(id, pause ?? { reason: null, until: null }, since).steps);
  }

  function ofPipeline({ kind, environmentId, subject, data }: PlatformPipelineRequest): TransactionalResult {
    const context = serverContext(system);
    const id = jobIdOf(subject, environmentId);
    if (kind === "pipeline.remove") {
      return { steps: jobs.remove(id, context), outcome: { done: true, reference: null } };
    }
    const runsPython = platform === "spark" ? settings.PLATFORM_SPARK_PYTHON.length > 0 : undefined;
    const read = pipelineTrigger(platform, data, runsPython);
    // An invalid job does not run, and neither does its predecessor.
    if ("problem" in read) {
      return { steps: jobs.remove(id, context), outcome: { done: false, reason: read.problem } };
    }
    const definition = definitionOf(read.trigger, settings);
    const { name, pause } = data;
    const job = { id, environmentId, kind: "pipeline", subject, name, definition, pause } as const;
    return { steps: jobs.install(job, context), outcome: { done: true, reference: id } };
  }

  return {
    within(request) {
      switch (request.kind) {
        case "job.install":
        case "job.remove":
        case "job.pause":
        case "job.resume":
          return ofJob(request);
        case "pipeline.install":
        case "pipeline.remove":
          return ofPipeline(request);
        default:
          return undefined;
      }
    },
  };
}

/** Why a connector cannot wait for files at an address: it lists them with the credentials of its connection. */
function remotePathProblem(
  path: string,
  { target_config: { connection }, datasets }: DeclaredConnector,
): string | undefined {
  const config = isMap(connection) && isMap(connection.config) ? connection.config : {};
  return watchedDatasets(path, config.path, datasets ?? []) === undefined
    ? `file_arrival_config: ${path} is not below the path of the connection, whose credentials are used. Leave it out to wait for the files of all datasets.`
    : undefined;
}

/** A connector's trigger follows from its fields; other resources declare theirs. */
function declaredTrigger(job: PlatformJobRequest["data"]): ReturnType<typeof connectorTrigger> {
  if ("execution_mode" in job) return connectorTrigger(job);
  return job.trigger ? { trigger: job.trigger } : { problem: "The job has no trigger." };
}

const nameOf = (job: PlatformJobRequest["data"]): string => ("alias" in job ? job.alias : job.name);

const kindOf = (subject: string) =>
  isSubject("automation", subject) ? "automation" : isSubject("flow", subject) ? "flow" : "connector";

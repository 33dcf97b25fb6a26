import type { Connector, Flow } from "@lakehelm/contract";
import { conflict } from "../../../../core/errors.ts";
import type { Vault } from "../../../../core/secrets/vault.ts";
import { idOf, isSubject } from "../../../../core/store/store.ts";
import type { Settings } from "../../../../settings.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import { definitionOf, type JobSteps, jobIdOf } from "../../../jobs/job-steps.ts";
import type { PlatformOutcome } from "../../platform.ts";
import type { PlatformJobRequest } from "../../platform-request.ts";
import type { SecretLookup } from "../credentials.ts";
import type { Workspaces } from "../workspaces.ts";
import { connectorDeployment, flowDeployment, type Generate, type JobDeployment } from "./deployment.ts";
import { type LateCreateOptions, lookForLateCreates } from "./late-creates.ts";
import { secretPrefix, secretValues } from "./own-secrets.ts";
import { createPlaces, type Place } from "./place.ts";
import type { RequestHandler } from "./request-handler.ts";
import { removeFolder, uploadFiles } from "./workspace-files.ts";
import { installJob, pauseJob, removeJobs } from "./workspace-jobs.ts";
import { putSecrets, removeSecrets } from "./workspace-secrets.ts";
import { connectorWorkspaceTrigger } from "./workspace-trigger.ts";

/** The resources that become jobs, as they are now; undefined: deleted. */
export interface ResourceDocuments {
  /** With its secret values; references to secrets are unresolved. */
  connector(id: string): Promise<Connector | undefined>;
  flow(id: string): Promise<Flow | undefined>;
}

export interface ResourceOptions extends LateCreateOptions {
  readonly workspaces: Workspaces;
  readonly documents: ResourceDocuments;
  readonly secretOf: SecretLookup;
  readonly generate: Generate;
  readonly jobs: { readonly rows: Pick<JobRows, "get">; readonly steps: JobSteps };
  readonly vault: Pick<Vault, "deriveKey">;
  readonly settings: Pick<Settings, "PLATFORM_RUN_TIMEOUT_SECONDS">;
}

/** The connector targets that generated code can write to. */
export const connectorTargets = [
  "warehouse",
  "postgresql",
  "postgres",
  "mysql",
  "sqlserver",
  "snowflake",
  "http",
];

/** Makes the jobs of resources what they should be in a workspace. Every request can be repeated after a crash or a lost answer. */
export function createJobRequests(options: ResourceOptions): RequestHandler<PlatformJobRequest> {
  const { documents, secretOf, generate, jobs } = options;
  const places = createPlaces(options);

  const placeOf = (request: PlatformJobRequest) => places(request, nameOf(request.data));

  async function deployment(request: PlatformJobRequest, place: Place): Promise<JobDeployment | undefined> {
    const { subject, data } = request;
    if ("execution_mode" in data) {
      const connector = await documents.connector(idOf(subject));
      return connector && connectorDeployment(connector, data, place, generate);
    }
    if (isSubject("flow", subject)) {
      const flow = await documents.flow(idOf(subject));
      return flow && flowDeployment(flow, place, generate);
    }
    throw conflict("The platform databricks does not run automations yet.");
  }

  async function install(request: PlatformJobRequest): Promise<PlatformOutcome> {
    const place = await placeOf(request);
    const { client, folder, scope, own, workspace } = place;
    const wanted = await deployment(request, place);
    if (!wanted) {
      // It was deleted while the request waited. Nobody else knows what an earlier attempt may have created.
      await removeAll(request, place);
      return { done: true, reference: null };
    }
    const secrets = await secretValues(workspace.environment, wanted.secrets, secretOf);
    await uploadFiles(client, folder, wanted.files);
    await putSecrets(client, scope, secrets, workspace.configuration.runAs);
    if (own.id !== null) await removeSecrets(client, scope, secretPrefix(place.secretId), secrets);
    const reference = await installJob(client, own, wanted.settings);
    if (own.id === null) lookForLateCreates(request, () => removeLateJobs(request), options);
    return { done: true, reference };
  }

  async function removeLateJobs(request: PlatformJobRequest): Promise<void> {
    const { client, own } = await placeOf(request);
    const id = idOf(request.subject);
    const isKnown = isSubject("flow", request.subject) ? documents.flow(id) : documents.connector(id);
    // Without a recorded job, the job of a resource that exists is being made.
    if (own.id === null && (await isKnown)) return;
    await removeJobs(client, own, own.id ?? undefined);
  }

  async function removeAll({ subject }: PlatformJobRequest, place: Place): Promise<void> {
    const { client, own, folder, scope } = place;
    await removeJobs(client, own);
    if (isSubject("connector", subject)) await removeSecrets(client, scope, secretPrefix(place.secretId));
    await removeFolder(client, folder);
  }

  return {
    async perform(request) {
      if (request.kind === "job.install") return install(request);
      const place = await placeOf(request);
      if (request.kind === "job.remove") await removeAll(request, place);
      else await pauseJob(place.client, place.own, request.kind === "job.pause");
      return { done: true, reference: null };
    },
    recorded(request, outcome, context) {
      const { environmentId, subject, data, kind } = request;
      const id = jobIdOf(subject, environmentId);
      if (kind === "job.remove") return jobs.steps.remove(id, context);
      if (!outcome.done) return [];
      if (kind === "job.resume") return jobs.steps.resume(id, context).steps;
      if (kind === "job.pause") {
        const { by = context.actor, at = context.time, reason = null, until = null } = data.pause ?? {};
        return jobs.steps.pause(id, { reason, until }, { ...context, actor: by, time: at }).steps;
      }
      const trigger = declaredTrigger(data);
      if (outcome.reference === null || !trigger) return jobs.steps.remove(id, context);
      const policy = "policy" in data ? data.policy : undefined;
      const job = {
        id,
        environmentId,
        subject,
        kind: isSubject("flow", subject) ? "flow" : "connector",
        name: nameOf(data),
        definition: definitionOf(trigger, options.settings, policy),
        pause: data.pause,
        reference: outcome.reference,
      } as const;
      return jobs.steps.install(job, context);
    },
  };
}

function declaredTrigger(data: PlatformJobRequest["data"]) {
  if (!("execution_mode" in data)) return data.trigger;
  const read = connectorWorkspaceTrigger(data);
  return "problem" in read ? undefined : read.trigger;
}

const nameOf = (data: PlatformJobRequest["data"]): string => ("alias" in data ? data.alias : data.name);

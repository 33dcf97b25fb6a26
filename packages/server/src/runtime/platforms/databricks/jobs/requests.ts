import type { JobSettings } from "@lakehelm/codegen";
import type { AutomationDefinition, Connector, Flow } from "@lakehelm/contract";
import { Problem } from "../../../../core/errors.ts";
import type { Vault } from "../../../../core/secrets/vault.ts";
import { idOf, isSubject } from "../../../../core/store/store.ts";
import type { Settings } from "../../../../settings.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import { definitionOf, type JobSteps, jobIdOf } from "../../../jobs/job-steps.ts";
import type { InstalledSettings } from "../../installed-settings.ts";
import type { PlatformOutcome } from "../../platform.ts";
import type { PlatformJobRequest } from "../../platform-request.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { SecretLookup } from "../credentials.ts";
import { jobShape } from "../drift/job-shape.ts";
import { fieldName, settingsDifferences, withLiveFields } from "../drift/settings-difference.ts";
import type { Workspaces } from "../workspaces.ts";
import { type AutomationParts, automationDeployment } from "./automation-deployment.ts";
import { connectorDeployment, flowDeployment, type Generate, type JobDeployment } from "./deployment.ts";
import { secretPrefix, secretValues } from "./own-secrets.ts";
import { createPlaces, type Place } from "./place.ts";
import type { RequestHandler } from "./request-handler.ts";
import { removeFolder, uploadFiles } from "./workspace-files.ts";
import { installJob, ownSettings, pauseJob, removeJobs, triggerIn } from "./workspace-jobs.ts";
import { putSecrets, removeSecrets } from "./workspace-secrets.ts";
import { connectorWorkspaceTrigger, withPause } from "./workspace-trigger.ts";

/** The resources that become jobs, as they are now; undefined: deleted. */
export interface ResourceDocuments extends AutomationParts {
  /** The connector with its secret values; references to secrets are unresolved. */
  connector(id: string): Promise<Connector | undefined>;
  flow(id: string): Promise<Flow | undefined>;
  /** The definition that the current release of an automation runs in an environment, with its secret values. */
  automation(id: string, environmentId: string): Promise<AutomationDefinition | undefined>;
}

export interface ResourceOptions {
  readonly now: () => Date;
  readonly workspaces: Workspaces;
  readonly documents: ResourceDocuments;
  readonly secretOf: SecretLookup;
  readonly generate: Generate;
  readonly jobs: { readonly rows: Pick<JobRows, "get">; readonly steps: JobSteps };
  readonly installed: Pick<InstalledSettings, "get" | "put" | "change" | "remove">;
  readonly vault: Pick<Vault, "deriveKey">;
  readonly settings: Pick<Settings, "PLATFORM_RUN_TIMEOUT_SECONDS">;
}

/**
 * Installs, pauses and removes the jobs of resources in a workspace. Every request can be repeated after a crash or a
 * lost answer.
 */
export function createJobRequests(options: ResourceOptions): RequestHandler<PlatformJobRequest> {
  const { documents, secretOf, generate, jobs, installed } = options;
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
    if (!("alias" in data)) throw new Error(`There is no job of ${subject}.`);
    const definition = await documents.automation(idOf(subject), request.environmentId);
    if (!definition) return undefined;
    const target = { ...place, trigger: data.trigger, isPaused: data.paused === true };
    return automationDeployment(data.alias, definition, target, documents);
  }

  async function isKnown({ subject, environmentId }: PlatformJobRequest): Promise<boolean> {
    const id = idOf(subject);
    if (isSubject("automation", subject))
      return (await documents.automation(id, environmentId)) !== undefined;
    const found = isSubject("flow", subject) ? documents.flow(id) : documents.connector(id);
    return (await found) !== undefined;
  }

  /**
   * If the workspace refuses the installation, the job of an automation or a flow is removed: it must not go on with
   * the former definition. The job of a connector stays.
   */
  async function installOrRemove(request: PlatformJobRequest): Promise<PlatformOutcome> {
    const place = await placeOf(request);
    try {
      return await install(request, place);
    } catch (error) {
      const isRefusal =
        isWorkspaceError(error, "refused", "conflict") ||
        (error instanceof Problem && error.kind !== "unavailable");
      if (isSubject("connector", request.subject) || !isRefusal) throw error;
      await removeAll(request, place);
      return { done: false, reason: (error as Error).message };
    }
  }

  async function install(request: PlatformJobRequest, place: Place): Promise<PlatformOutcome> {
    const { client, folder, scope, own, workspace } = place;
    const wanted = await deployment(request, place);
    if (!wanted) {
      // The resource was deleted while the request waited. Nothing else knows what an earlier attempt may have created.
      await removeAll(request, place);
      return { done: true, reference: null };
    }
    const secrets = await secretValues(workspace.environment, wanted.secrets, secretOf);
    await uploadFiles(client, folder, wanted.files);
    await putSecrets(client, scope, secrets, workspace.configuration.runAs);
    if (own.id !== null) await removeSecrets(client, scope, secretPrefix(place.secretId), secrets);
    const settings = await withKept(request, place, wanted.settings);
    const reference = await installJob(client, own, settings);
    const thing = { ...thingOf(request), name: own.name, reference, settings: wanted.settings };
    await installed.put({ ...thing, installedAt: options.now().toISOString() }, request.kept);
    return { done: true, reference };
  }

  /** The settings, in which the fields to keep have the values that somebody has set in the workspace. */
  async function withKept(
    request: PlatformJobRequest,
    { client, own }: Place,
    settings: JobSettings,
  ): Promise<JobSettings> {
    const { kept = [], environmentId, subject } = request;
    const before = kept.length > 0 ? await installed.get(environmentId, subject, "job") : undefined;
    const live = before && (await ownSettings(client, own));
    if (!live) return settings;
    const differences = settingsDifferences(before.settings, live, jobShape);
    const stay = differences.filter((difference) => kept.includes(fieldName(difference)));
    return withLiveFields(settings, stay, jobShape.itemKeys);
  }

  async function pause(request: PlatformJobRequest, { client, own }: Place): Promise<void> {
    const isPaused = request.kind === "job.pause";
    await pauseJob(client, own, isPaused);
    await installed.change(
      thingOf(request),
      (settings) => ({ ...settings, ...withPause(triggerIn(settings), isPaused) }),
      options.now().toISOString(),
      (field) => field.endsWith(".pause_status"),
    );
  }

  async function removeLate(request: PlatformJobRequest): Promise<void> {
    const { client, own } = await placeOf(request);
    // If the resource exists without a recorded job, its job is being created.
    if (own.id === null && (await isKnown(request))) return;
    await removeJobs(client, own, own.id ?? undefined);
  }

  async function removeAll({ subject }: PlatformJobRequest, place: Place): Promise<void> {
    const { client, own, folder, scope, mark } = place;
    await removeJobs(client, own);
    await installed.remove(mark.environment, subject);
    if (!isSubject("flow", subject)) await removeSecrets(client, scope, secretPrefix(place.secretId));
    await removeFolder(client, folder);
  }

  return {
    removeLate,
    async perform(request) {
      if (request.kind === "job.install") return installOrRemove(request);
      const place = await placeOf(request);
      if (request.kind === "job.remove") await removeAll(request, place);
      else await pause(request, place);
      return { done: true, reference: null };
    },
    recorded(request, outcome, context) {
      const { environmentId, subject, data, kind } = request;
      const id = jobIdOf(subject, environmentId);
      if (kind === "job.remove") return jobs.steps.remove(id, context);
      if (!outcome.done)
        return kind === "job.install" && !isSubject("connector", subject)
          ? jobs.steps.remove(id, context)
          : [];
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
        kind: kindOf(subject),
        name: nameOf(data),
        definition: definitionOf(trigger, options.settings, policy),
        pause: data.pause,
        reference: outcome.reference,
      } as const;
      return jobs.steps.install(job, context);
    },
  };
}

const thingOf = ({ environmentId, subject }: PlatformJobRequest) =>
  ({ environmentId, subject, part: "job" }) as const;

function declaredTrigger(data: PlatformJobRequest["data"]) {
  if (!("execution_mode" in data)) return data.trigger;
  const read = connectorWorkspaceTrigger(data);
  return "problem" in read ? undefined : read.trigger;
}

const kindOf = (subject: string) =>
  isSubject("automation", subject) ? "automation" : isSubject("flow", subject) ? "flow" : "connector";

const nameOf = (data: PlatformJobRequest["data"]): string => ("alias" in data ? data.alias : data.name);

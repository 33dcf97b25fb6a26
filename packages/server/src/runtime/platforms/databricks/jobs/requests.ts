import { createHash } from "node:crypto";
import type { Connector, Flow } from "@lakehelm/contract";
import { conflict, Problem } from "../../../../core/errors.ts";
import type { Vault } from "../../../../core/secrets/vault.ts";
import { idOf, isSubject, type Step } from "../../../../core/store/store.ts";
import type { Settings } from "../../../../settings.ts";
import type { JobRows } from "../../../jobs/job-rows.ts";
import { definitionOf, type JobSteps, jobIdOf } from "../../../jobs/job-steps.ts";
import { type Platform, type PlatformOutcome, RequestPending } from "../../platform.ts";
import type { PlatformJobRequest, PlatformRequest } from "../../platform-request.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { SecretLookup } from "../credentials.ts";
import type { Workspace, Workspaces } from "../workspaces.ts";
import { type SecretSource, secretPrefix } from "./connector-code.ts";
import { connectorDeployment, flowDeployment, type Generate, type JobDeployment } from "./deployment.ts";
import { removeFolder, uploadFiles } from "./workspace-files.ts";
import { installJob, type OwnJob, pauseJob, removeJobs } from "./workspace-jobs.ts";
import { putSecrets, removeSecrets } from "./workspace-secrets.ts";
import { connectorWorkspaceTrigger } from "./workspace-trigger.ts";

/** The resources that become jobs, as they are now; undefined: deleted. */
export interface ResourceDocuments {
  /** With its secret values; references to secrets are unresolved. */
  connector(id: string): Promise<Connector | undefined>;
  flow(id: string): Promise<Flow | undefined>;
}

export interface ResourceOptions {
  readonly workspaces: Workspaces;
  readonly documents: ResourceDocuments;
  readonly secretOf: SecretLookup;
  readonly generate: Generate;
  readonly jobs: { readonly rows: Pick<JobRows, "get">; readonly steps: JobSteps };
  readonly vault: Pick<Vault, "deriveKey">;
  readonly settings: Pick<Settings, "PLATFORM_RUN_TIMEOUT_SECONDS">;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** When to look for jobs that a create without an answer made late. */
  readonly lookAgainMs?: readonly number[];
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

/** Makes resources what they should be in a workspace. Every request can be repeated after a crash or a lost answer. */
export function createResourceRequests(
  options: ResourceOptions,
): Required<Pick<Platform, "perform" | "recorded">> {
  const { workspaces, documents, secretOf, generate, jobs } = options;
  const installation = installationId(options.vault);

  /** Where the things of a resource are in the workspace. */
  async function placeOf(request: PlatformJobRequest) {
    const { environmentId, subject, data } = request;
    const workspace = await workspaces.open(environmentId);
    const { client, configuration } = workspace;
    const name = "alias" in data ? data.alias : data.name;
    const mark = { installation, environment: environmentId, resource: subject };
    const folder = `${configuration.rootPath}/${installation}/${subject}`;
    const scope = `lakehelm-${installation}-${environmentId}`;
    const job = await jobs.rows.get(jobIdOf(subject, environmentId));
    const own: OwnJob = { name, mark, folder, id: job?.reference ?? null };
    return { workspace, client, name, mark, folder, scope, own };
  }

  type Place = Awaited<ReturnType<typeof placeOf>>;

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
    throw conflict(notYet("automations"));
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
    const secrets = await secretValues(workspace, wanted.secrets);
    await uploadFiles(client, folder, wanted.files);
    await putSecrets(client, scope, secrets, workspace.configuration.runAs);
    if (own.id !== null) await removeSecrets(client, scope, secretPrefix(idOf(request.subject)), secrets);
    const reference = await installJob(client, own, wanted.settings);
    if (own.id === null && isOld(request)) lookAgain(request);
    return { done: true, reference };
  }

  /** It waited, or an earlier attempt at it had no answer. */
  const isOld = ({ id }: PlatformJobRequest) => options.now().getTime() - timeOf(id) > 5_000;

  /** A create without an answer may be carried out after the look for its mark: what it makes is removed then. */
  function lookAgain(request: PlatformJobRequest): void {
    for (const ms of options.lookAgainMs ?? [60_000, 600_000]) {
      setTimeout(() => void removeLateJobs(request).catch(options.onError), ms).unref();
    }
  }

  async function removeLateJobs(request: PlatformJobRequest): Promise<void> {
    const { client, own } = await placeOf(request);
    const id = idOf(request.subject);
    const isKnown = isSubject("flow", request.subject) ? documents.flow(id) : documents.connector(id);
    // Without a recorded job, the job of a resource that exists is being made.
    if (own.id === null && (await isKnown)) return;
    await removeJobs(client, own, own.id ?? undefined);
  }

  async function secretValues(
    { environment }: Workspace,
    sources: ReadonlyMap<string, SecretSource>,
  ): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    for (const [key, source] of sources) {
      if ("value" in source) {
        values.set(key, source.value);
        continue;
      }
      const { scope, key: name } = source.reference;
      const value = await secretOf(environment.id, scope, name);
      if (value === undefined)
        throw conflict(`The environment "${environment.name}" has no secret ${scope}/${name}.`);
      values.set(key, value);
    }
    return values;
  }

  async function removeAll({ subject }: PlatformJobRequest, place: Place): Promise<void> {
    const { client, own, folder, scope } = place;
    await removeJobs(client, own);
    if (isSubject("connector", subject)) await removeSecrets(client, scope, secretPrefix(idOf(subject)));
    await removeFolder(client, folder);
  }

  async function performJob(request: PlatformJobRequest): Promise<PlatformOutcome> {
    if (request.kind === "job.install") return install(request);
    const place = await placeOf(request);
    if (request.kind === "job.remove") await removeAll(request, place);
    else await pauseJob(place.client, place.own, request.kind === "job.pause");
    return { done: true, reference: null };
  }

  return {
    async perform(request) {
      try {
        if (isJobRequest(request)) return await performJob(request);
        return { done: false, reason: notYet(namesOf[request.kind] ?? request.kind) };
      } catch (error) {
        // It may have been done, or could not be sent: it is repeated, and then looks for its mark.
        if (isWorkspaceError(error, "open", "busy"))
          throw new RequestPending((error as Error).message, { cause: error });
        if (error instanceof Problem || isWorkspaceError(error))
          return { done: false, reason: (error as Error).message };
        throw error;
      }
    },
    recorded(request, outcome, context): readonly Step[] {
      if (!isJobRequest(request)) return [];
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
        name: "alias" in data ? data.alias : data.name,
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

/** The same for all servers with one secret key, and so for all with one database. */
const installationId = ({ deriveKey }: Pick<Vault, "deriveKey">): string =>
  createHash("sha256").update(deriveKey("databricks installation")).digest("hex").slice(0, 12);

/** A request's id begins with the milliseconds at which it was made. */
const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

const isJobRequest = (request: PlatformRequest): request is PlatformJobRequest =>
  request.kind.startsWith("job.");

const namesOf: Readonly<Record<string, string>> = {
  "pipeline.install": "pipelines",
  "pipeline.remove": "pipelines",
  "component.start": "agents and apps",
  "component.stop": "agents and apps",
};

const notYet = (what: string) => `The platform databricks does not run ${what} yet.`;

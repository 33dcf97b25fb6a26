import type { AgentComponent, App } from "@lakehelm/contract";
import { conflict } from "../../../../core/errors.ts";
import { idOf, isSubject } from "../../../../core/store/store.ts";
import type { InstalledSettings } from "../../installed-settings.ts";
import type { PlatformOutcome } from "../../platform.ts";
import type { PlatformComponentRequest } from "../../platform-request.ts";
import type { SecretLookup } from "../credentials.ts";
import { scopeOf, uniqueName } from "../installation.ts";
import type { Mark } from "../jobs/mark.ts";
import { type SecretSource, secretValues } from "../jobs/own-secrets.ts";
import { removeFolder, removeOtherFolders, uploadFiles } from "../jobs/workspace-files.ts";
import { putSecrets, removeSecrets } from "../jobs/workspace-secrets.ts";
import type { Workspace, Workspaces } from "../workspaces.ts";
import { appSecretPrefix, appSource, type ReadSource, sourceLimits } from "./app-source.ts";
import { agentSecretPrefix, endpointConfig, type VersionMetadata } from "./endpoint-config.ts";
import { type Advance, advanced, type ProgressClock } from "./progress.ts";
import { markedDescription, type OwnApp, removeApp, startingApp, stoppingApp } from "./workspace-apps.ts";
import { deployingEndpoint, endpointTags, type OwnEndpoint, removeEndpoint } from "./workspace-endpoints.ts";

/** Agents and apps as they are now; undefined: deleted. */
interface ComponentDocuments {
  app(id: string): Promise<App | undefined>;
  endpoint(agentId: string, environmentId: string): Promise<AgentComponent | undefined>;
  versionMetadata(agentId: string, version: string): Promise<VersionMetadata | undefined>;
}

export interface ComponentRequestsOptions {
  readonly workspaces: Workspaces;
  readonly installation: string;
  readonly documents: ComponentDocuments;
  readonly installed: Pick<InstalledSettings, "put" | "change" | "remove">;
  readonly secretOf: SecretLookup;
  readonly readSource: ReadSource;
  readonly clock: ProgressClock;
}

/** The longest names that a workspace takes. */
const longestAppName = 30;
const longestEndpointName = 63;

export const appOf = (name: string, mark: Mark): OwnApp => ({
  name: uniqueName(name, mark, longestAppName),
  mark,
});
export const endpointOf = (name: string, mark: Mark): OwnEndpoint => ({
  name: uniqueName(name, mark, longestEndpointName),
  mark,
});

const done: PlatformOutcome = { done: true, reference: null };
const replaced: PlatformOutcome = { done: false, reason: "A newer request replaced this one." };

/**
 * Starts and stops apps, and the serving endpoints of agents. Their names are unique in a workspace and follow from the
 * resource, so a request that is repeated finds what it made; what has the name without our mark is never touched.
 */
export function createComponentRequests(options: ComponentRequestsOptions) {
  const { workspaces, installation, documents, installed, secretOf, readSource, clock } = options;

  /** Whether a newer request has replaced this one while it waited: then only the newer one counts. */
  async function isReplaced({
    kind,
    subject,
    environmentId,
    data,
  }: PlatformComponentRequest): Promise<boolean> {
    if (kind === "component.remove") return false;
    const id = idOf(subject);
    const state = isSubject("app", subject)
      ? await documents.app(id)
      : await documents.endpoint(id, environmentId);
    return state?.updated_at !== data.asked_at;
  }

  /** A late outcome changes nothing by itself, but work that has begun must not undo the work of the newer request. */
  function unlessReplaced(request: PlatformComponentRequest, advance: Advance): Advance {
    return async () => ((await isReplaced(request)) ? replaced : advance());
  }

  async function putAll(
    { client, configuration, environment }: Workspace,
    scope: string,
    secrets: ReadonlyMap<string, SecretSource>,
    reader: string | null = configuration.runAs,
  ) {
    const values = await secretValues(environment, secrets, secretOf);
    await putSecrets(client, scope, values, reader);
    return values;
  }

  async function ofApp(
    request: PlatformComponentRequest,
    workspace: Workspace,
    mark: Mark,
  ): Promise<Advance | PlatformOutcome> {
    const { id: requestId, environmentId, kind, subject, data } = request;
    const { client, configuration } = workspace;
    const own = appOf(data.name, mark);
    const id = idOf(subject);
    const scope = scopeOf(mark);
    const parent = `${configuration.rootPath}/${mark.installation}/${subject}`;
    const thing = { environmentId, subject, part: "app" } as const;
    if (kind === "component.stop") {
      return afterwards(stoppingApp(client, own), () =>
        installed.change(
          thing,
          (before) => ({ ...before, compute_status: "STOPPED" }),
          time(),
          () => true,
        ),
      );
    }
    if (kind === "component.remove") {
      await removeApp(client, own);
      await installed.remove(environmentId, subject);
      await removeSecrets(client, scope, appSecretPrefix(id));
      await removeFolder(client, parent);
      return done;
    }
    const app = await documents.app(id);
    if (data.source_path === null || !app)
      return { done: false, reason: "It has no source_path: there is nothing to run." };
    const source = await appSource(
      id,
      await readSource(environmentId, data.source_path, sourceLimits),
      scope,
    );
    const values = await putAll(workspace, scope, source.secrets);
    const folder = `${parent}/${requestId}`;
    const wanted = {
      description: app.description.slice(0, 200),
      resources: source.resources,
      folder,
      upload: () => uploadFiles(client, folder, source.files),
    };
    const settings = {
      description: markedDescription(wanted.description, mark),
      resources: wanted.resources,
      source_code_path: folder,
      compute_status: "ACTIVE",
    };
    return afterwards(startingApp(client, own, wanted, ageOf(request) < 10_000), async () => {
      await removeOtherFolders(client, parent, folder);
      await removeSecrets(client, scope, appSecretPrefix(id), values);
      await installed.put({ ...thing, name: data.name, reference: own.name, settings, installedAt: time() });
    });
  }

  async function ofEndpoint(
    request: PlatformComponentRequest,
    workspace: Workspace,
    mark: Mark,
  ): Promise<Advance | PlatformOutcome> {
    const { kind, environmentId, subject, data } = request;
    const { client, configuration } = workspace;
    const own = endpointOf(data.name, mark);
    const id = idOf(subject);
    const scope = scopeOf(mark);
    if (kind !== "component.start") {
      await removeEndpoint(client, own);
      await installed.remove(environmentId, subject);
      await removeSecrets(client, scope, agentSecretPrefix(id));
      return done;
    }
    const version = data.component === undefined ? null : data.version;
    const metadata = version === null ? undefined : await documents.versionMetadata(id, version);
    if (!metadata)
      throw conflict(`The agent "${data.name}" has no version to deploy. Register one, with metadata.model.`);
    const { config, secrets } = endpointConfig(
      { id, name: data.name, version },
      metadata,
      configuration,
      scope,
    );
    const values = await putAll(workspace, scope, secrets);
    const deploying = deployingEndpoint(client, own, {
      id: request.id,
      config,
      tags: configuration.tags,
    });
    const settings = { ...config, tags: endpointTags(configuration.tags, mark) };
    const thing = {
      environmentId,
      subject,
      part: "endpoint",
      name: data.name,
      reference: own.name,
      settings,
    };
    return afterwards(deploying, async () => {
      await removeSecrets(client, scope, agentSecretPrefix(id), values);
      await installed.put({ ...thing, installedAt: time() });
    });
  }

  /** Runs `finish` once the request is done. */
  function afterwards(advance: Advance, finish: () => Promise<void>): Advance {
    return async () => {
      const result = await advance();
      if (typeof result !== "string" && result.done) await finish();
      return result;
    };
  }

  const time = () => new Date(clock.now()).toISOString();
  const ageOf = ({ data }: PlatformComponentRequest) => clock.now() - Date.parse(data.asked_at);

  return {
    /** Whether the workspace is still busy with what was asked last. */
    async isPending(environmentId: string, subject: string): Promise<boolean> {
      const id = idOf(subject);
      const state = isSubject("app", subject)
        ? await documents.app(id)
        : await documents.endpoint(id, environmentId);
      return state?.observed_state === "pending";
    },
    /** Removes what was created late although it should not run any more. */
    async removeLate({ environmentId, subject, data }: PlatformComponentRequest): Promise<void> {
      const id = idOf(subject);
      const isApp = isSubject("app", subject);
      const state = isApp ? await documents.app(id) : await documents.endpoint(id, environmentId);
      if (isApp ? state : state?.desired_state === "running") return;
      const { client } = await workspaces.open(environmentId);
      const mark = { installation, environment: environmentId, resource: subject };
      if (isApp) await removeApp(client, appOf(data.name, mark));
      else await removeEndpoint(client, endpointOf(data.name, mark));
    },
    async perform(request: PlatformComponentRequest): Promise<PlatformOutcome> {
      if (await isReplaced(request)) return replaced;
      const { environmentId, subject } = request;
      const workspace = await workspaces.open(environmentId);
      const mark = { installation, environment: environmentId, resource: subject };
      const work = await (isSubject("app", subject) ? ofApp : ofEndpoint)(request, workspace, mark);
      if (typeof work !== "function") return work;
      return advanced(unlessReplaced(request, work), { ageMs: ageOf(request), clock });
    },
  };
}

import type {
  AutomationDefinition,
  AutomationDetails,
  DeploymentResponse,
  EnvironmentSummary,
  Release,
  ReleasedDefinition,
} from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { notFound, Problem } from "../../core/errors.ts";
import type { InstallationCount, InstallMissing } from "../../core/missing-installations.ts";
import type { MaskStored } from "../../core/secrets/stored-secrets.ts";
import type { Stored } from "../../core/store/collection.ts";
import { isPlain, type ListRequest } from "../../core/store/list-request.ts";
import type { Scope } from "../../core/store/list-scope.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { KeepsFields } from "../../runtime/platforms/platform-request.ts";
import type {
  PlatformRequests,
  RecordOutcome,
  RecordWaiting,
} from "../../runtime/platforms/platform-requests.ts";
import type { Environments } from "../environments/environments.ts";
import { type AuthoringAttempts, createAttempts } from "./attempts.ts";
import {
  createAutomationRemoval,
  type FindBoundChannel,
  type RemoveAutomation,
} from "./automation-removal.ts";
import type { FindReleasedCalls } from "./call-graph.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import { createJobRequests } from "./job-requests.ts";
import { createOutcomeRecorder, createWaitingRecorder } from "./outcomes.ts";
import { createOverrides } from "./overrides.ts";
import { createPlannedAutomations, type PlannedAutomations } from "./planned-automation.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createActivation } from "./release-activation.ts";
import type { SyncResult } from "./release-change.ts";
import { createReleaseDesigns, type ReleaseDesigns } from "./release-designs.ts";
import { createRemoval } from "./release-removal.ts";
import { createReleases, type ReleasePage } from "./releases.ts";
import { createSchedules, type JobProblem, type Schedules } from "./schedules.ts";
import { createSyncRelease, type ReleaseSyncRequest } from "./sync-release.ts";
import { createValidation, type Validation, type ValidationOptions } from "./validation.ts";

export interface Automations
  extends Pick<Registry, "create" | "update" | "setDefinition" | "find" | "get" | "page" | "definitionOf">,
    Pick<Schedules, "endPauses" | "pauseEnded"> {
  /** Installs the jobs of releases from earlier versions of Lakehelm, which only recorded the releases. */
  readonly installMissing: InstallMissing;
  /** Masks stored documents by the current rules. */
  readonly maskStored: MaskStored;
  /** Before the first request: records what the releases of an earlier version of Lakehelm read and write. */
  readonly fillLineage: ReleaseDesigns["fillLineage"];
  /** Applies the outcome of an outbox entry to an automation. */
  readonly recordOutcome: RecordOutcome<"automation">;
  readonly recordWaiting: RecordWaiting<"automation">;
  readonly attempts: AuthoringAttempts;
  readonly remove: RemoveAutomation;
  details(alias: string): Promise<{ readonly doc: AutomationDetails; readonly version: number }>;
  /** `scope`: the environments that the caller sees or asked for. */
  releases(alias: string, scope: Scope, request: ListRequest): Promise<ReleasePage>;
  /** The definition of a release, current or former, in one of the environments that the caller sees. */
  releasedDefinition(alias: string, releaseId: string, scope: Scope): Promise<ReleasedDefinition>;
  /** The ids of the environments with a release; undefined if there is no such automation. */
  environmentsOf(alias: string): Promise<readonly string[] | undefined>;
  /** #3 */
  readonly validate: Validation["validate"];
  /** #9 */
  syncRelease(request: ReleaseSyncRequest, context: ChangeContext): Promise<SyncResult>;
  /** Makes the platform of an environment reinstall the job of the current release. */
  reinstall(automationId: string, environmentId: string, call: ChangeRequest & KeepsFields): Promise<void>;
  /** #20 */
  readonly setSchedule: Schedules["set"];
  /** The current release in an environment, and whether the platform has its job. */
  currentRelease(automationId: string, environmentId: string): Promise<Stored<Release> | undefined>;
  /** The definition that a release runs, with its secrets; null if it has no definition or no longer exists. */
  designOf(releaseId: string): Promise<AutomationDefinition | null>;
  /** The current release with a job in an environment, and the automations that it calls. */
  readonly releasedCalls: FindReleasedCalls;
  /** For plans: what an environment runs, and definitions to compare it with. */
  readonly planned: PlannedAutomations;
  /** For the summary of an environment. */
  currentReleases(environmentId: string): Promise<EnvironmentSummary["current_releases"]>;
  /** The current release that a deployment recorded, as text. */
  releaseOf(deployment: Pick<DeploymentResponse, "id" | "environment_id">): Promise<string | undefined>;
}

export function createAutomations(
  deps: Dependencies,
  platformRequests: PlatformRequests,
  environments: Environments,
  deployments: DeploymentRecorder,
  {
    problemOf,
    boundChannel,
    ...validationOptions
  }: Omit<ValidationOptions, "reader" | "releasedCalls" | "settings"> & {
    readonly problemOf: JobProblem;
    readonly boundChannel: FindBoundChannel;
  },
): Automations {
  const registry = createRegistry(deps);
  const { attempts, reader } = createAttempts(deps, registry);
  const releases = createReleases(deps, environments);
  const designs = createReleaseDesigns(deps);
  const overrides = createOverrides(deps.store);
  const jobs = createJobRequests(deps.system, platformRequests);
  const rules = { environments, deployments, registry, attempts, releases, designs, overrides, jobs };
  const schedules = createSchedules(deps, { ...rules, problemOf });
  const activation = createActivation(deps, rules);

  async function pinAgain(id: string, context: ChangeContext): Promise<keyof InstallationCount> {
    const release = await releases.rows.get(id);
    const definition = release && releases.storedDefinition(release);
    const env = await environments.actIn(release?.doc.environment_id).catch((error) => {
      if (!(error instanceof Problem)) throw error;
    });
    if (!release || !definition || !env) return "left";
    await activation.pinStored(release, definition, env, context);
    return "installed";
  }

  const releasedCalls: FindReleasedCalls = async (alias, environmentId) => {
    const automation = await registry.find(alias);
    const release = automation && (await releases.current(automation.id, environmentId));
    const definition = release && (await designs.of(release.id));
    if (!definition || release.doc.workflow_id === null) return undefined;
    const calls = definition.tasks.flatMap(({ kind, reference }) =>
      kind === "automation" && reference ? [reference] : [],
    );
    return { jobId: release.doc.workflow_id, alias: automation.doc.alias, calls: [...new Set(calls)] };
  };

  return {
    recordOutcome: createOutcomeRecorder(rules),
    recordWaiting: createWaitingRecorder(rules.releases),
    async installMissing(context) {
      const count = { installed: 0, left: 0 };
      for (const { id } of await releases.withStoredDefinition()) {
        count[await deps.store.retryOnConflict(() => pinAgain(id, context))] += 1;
      }
      return count;
    },
    async maskStored(context) {
      const counts = [registry, designs, attempts, releases].map(({ maskStored }) => maskStored(context));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    create: registry.create,
    update: registry.update,
    remove: createAutomationRemoval(deps, { ...rules, boundChannel }),
    setDefinition: registry.setDefinition,
    find: registry.find,
    get: registry.get,
    page: registry.page,
    definitionOf: registry.definitionOf,
    attempts,
    async details(alias) {
      const { id, doc: automation, version } = await registry.read(alias);
      const current = await releases.ofAutomation(id);
      const docs = current.map(({ doc }) => doc);
      return {
        doc: { automation, releases: docs, schedules: await schedules.ofAutomation(current) },
        version,
      };
    },
    async environmentsOf(alias) {
      const automation = await registry.find(alias);
      if (!automation) return undefined;
      return (await releases.ofAutomation(automation.id)).map(({ doc }) => doc.environment_id);
    },
    async releases(alias, scope, request) {
      const { id } = await registry.read(alias);
      const { environmentIds: visible } = scope;
      if (!visible || !isPlain(request)) return releases.page({ ...scope, owner: id }, request);
      const { skip, limit } = request;
      const current = (await releases.ofAutomation(id)).map(({ doc }) => doc);
      const found = current.filter(({ environment_id }) => visible.includes(environment_id));
      return { releases: found.slice(skip, skip + limit), total: found.length };
    },
    async releasedDefinition(alias, releaseId, { environmentIds: visible }) {
      const { id } = await registry.read(alias);
      const current = (await releases.ofAutomation(id)).find((release) => release.id === releaseId)?.doc;
      const design = await designs.read(id, releaseId);
      const environmentId = current?.environment_id ?? design?.environmentId;
      if (environmentId === undefined || (visible && !visible.includes(environmentId)))
        throw notFound(`${alias} has no release "${releaseId}", or its definition is no longer kept.`);
      return {
        release_id: releaseId,
        environment_id: environmentId,
        environment: (await environments.read(environmentId)).doc.name,
        is_current: current !== undefined,
        definition: design?.definition ?? null,
      };
    },
    validate: createValidation({ ...validationOptions, reader, releasedCalls, settings: deps.settings })
      .validate,
    syncRelease: createSyncRelease({
      store: deps.store,
      environments,
      releases,
      activate: activation.activate,
      remove: createRemoval(deps, rules),
    }),
    reinstall: async (automationId, environmentId, call) =>
      activation.reinstall(automationId, await environments.actIn(environmentId), call),
    setSchedule: schedules.set,
    endPauses: schedules.endPauses,
    pauseEnded: schedules.pauseEnded,
    currentRelease: releases.current,
    designOf: designs.of,
    fillLineage: designs.fillLineage,
    releasedCalls,
    planned: createPlannedAutomations(deps, rules),
    async currentReleases(environmentId) {
      const current = await releases.inEnvironment(environmentId);
      return current.map(({ artifact, version, activated_at }) => ({ artifact, version, activated_at }));
    },
    async releaseOf({ id, environment_id }) {
      const found = (await releases.inEnvironment(environment_id)).find(
        ({ deployment_id }) => deployment_id === id,
      );
      return found && `${found.artifact} ${found.version} in ${found.environment}`;
    },
  };
}

import type {
  AutomationDefinition,
  AutomationDetails,
  EnvironmentSummary,
  Release,
} from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { PlatformRequests, RecordOutcome } from "../../runtime/platforms/platform-requests.ts";
import type { Environments } from "../environments/environments.ts";
import { type AuthoringAttempts, createAttempts } from "./attempts.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import { createJobRequests } from "./job-requests.ts";
import { createOutcomeRecorder } from "./outcomes.ts";
import { createOverrides } from "./overrides.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createActivation } from "./release-activation.ts";
import type { SyncResult } from "./release-change.ts";
import { createReleaseDesigns } from "./release-designs.ts";
import { createRemoval } from "./release-removal.ts";
import { createReleases } from "./releases.ts";
import { createSchedules, type JobProblem, type Schedules } from "./schedules.ts";
import { createSyncRelease, type ReleaseSyncRequest } from "./sync-release.ts";
import { createValidation, type Validation, type ValidationOptions } from "./validation.ts";

export interface Automations
  extends Pick<Registry, "create" | "setDefinition" | "find" | "get" | "page" | "definitionOf">,
    Pick<Schedules, "endPauses" | "pauseEnded"> {
  /** Applies the outcome of an outbox entry to an automation. */
  readonly recordOutcome: RecordOutcome<"automation">;
  readonly attempts: AuthoringAttempts;
  details(alias: string): Promise<{ readonly doc: AutomationDetails; readonly version: number }>;
  releases(alias: string, skip: number, limit: number): Promise<{ releases: Release[]; total: number }>;
  /** #3 */
  readonly validate: Validation["validate"];
  /** #9 */
  syncRelease(request: ReleaseSyncRequest, context: ChangeContext): Promise<SyncResult>;
  /** #20 */
  readonly setSchedule: Schedules["set"];
  /** The current release in an environment, and whether the platform has its job. */
  currentRelease(automationId: string, environmentId: string): Promise<Stored<Release> | undefined>;
  /** The definition that a release runs, with its secrets; null if it has no definition or no longer exists. */
  designOf(releaseId: string): Promise<AutomationDefinition | null>;
  /** For the summary of an environment. */
  currentReleases(environmentId: string): Promise<EnvironmentSummary["current_releases"]>;
}

export function createAutomations(
  deps: Dependencies,
  work: PlatformRequests,
  environments: Environments,
  deployments: DeploymentRecorder,
  { problemOf, ...validationOptions }: Omit<ValidationOptions, "reader"> & { readonly problemOf: JobProblem },
): Automations {
  const registry = createRegistry(deps);
  const { attempts, reader } = createAttempts(deps, registry);
  const releases = createReleases(deps, environments);
  const designs = createReleaseDesigns(deps);
  const overrides = createOverrides(deps.store);
  const jobs = createJobRequests(deps.system, work);
  const rules = { environments, deployments, registry, attempts, releases, designs, overrides, jobs };
  const schedules = createSchedules(deps, { ...rules, problemOf });

  return {
    recordOutcome: createOutcomeRecorder(rules),
    create: registry.create,
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
    async releases(alias, skip, limit) {
      const { id } = await registry.read(alias);
      return releases.page(id, skip, limit);
    },
    validate: createValidation({ ...validationOptions, reader }).validate,
    syncRelease: createSyncRelease({
      environments,
      releases,
      activate: createActivation(deps, rules),
      remove: createRemoval(deps, rules),
    }),
    setSchedule: schedules.set,
    endPauses: schedules.endPauses,
    pauseEnded: schedules.pauseEnded,
    currentRelease: releases.current,
    designOf: designs.of,
    async currentReleases(environmentId) {
      const current = await releases.inEnvironment(environmentId);
      return current.map(({ artifact, version, activated_at }) => ({ artifact, version, activated_at }));
    },
  };
}

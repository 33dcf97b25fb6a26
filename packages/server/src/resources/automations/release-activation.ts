import { contentHash } from "@lakehelm/codegen";
import type {
  Automation,
  AutomationDefinition,
  Environment,
  JobDefinition,
  Release,
  ScheduleOverride,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { KeepsFields } from "../../runtime/platforms/platform-request.ts";
import { designOfAttempt } from "./attempt-definition.ts";
import type { AuthoringAttempts } from "./attempts.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import { type JobRequest, type JobRequests, noJobRequest } from "./job-requests.ts";
import { jobTriggerOf } from "./job-trigger.ts";
import { noReleaseText } from "./no-release.ts";
import type { Overrides } from "./overrides.ts";
import { requireProcessTasks } from "./process-tasks.ts";
import type { Registry, RegistryChange } from "./registry.ts";
import type { ReleaseChange } from "./release-change.ts";
import type { ReleaseDesigns } from "./release-designs.ts";
import type { Origin } from "./release-origin.ts";
import { type JobState, type Releases, releaseEvent, withInstall } from "./releases.ts";

export type Activate = (
  alias: string,
  env: EnvironmentContext,
  origin: Origin,
  context: ChangeContext,
  /** The pause that begins with a new release, unless the schedule is already paused. */
  pause?: ScheduleOverride,
) => Promise<ReleaseChange>;

interface Activation {
  readonly activate: Activate;
  /**
   * Makes the platform reinstall the job of the current release. Throws 409 without a release or if the platform
   * refuses.
   */
  reinstall(
    automationId: string,
    env: EnvironmentContext,
    call: Pick<ChangeRequest, "context"> & KeepsFields,
  ): Promise<void>;
  /**
   * Pins the design of a release from an earlier version of Lakehelm, stored in the release row, and installs its job.
   */
  pinStored(
    release: Stored<Release>,
    stored: AutomationDefinition,
    env: EnvironmentContext,
    context: ChangeContext,
  ): Promise<void>;
}

/** What identifies a release: activating the same one again changes nothing. */
type ReleaseIdentity = Pick<
  Release,
  "version" | "git_branch" | "git_commit_sha" | "design_content_hash" | "metadata"
>;

/** The automation of the release, the steps to register it, and the definition that the release runs. */
interface DesiredRelease extends RegistryChange {
  readonly definition: AutomationDefinition | null;
}

const withoutJob: JobState = "none";

export function createActivation(
  { store, system, settings }: Dependencies,
  rules: {
    readonly deployments: DeploymentRecorder;
    readonly registry: Registry;
    readonly attempts: Pick<AuthoringAttempts, "read">;
    readonly releases: Releases;
    readonly designs: ReleaseDesigns;
    readonly overrides: Overrides;
    readonly jobs: JobRequests;
  },
): Activation {
  const { deployments, registry, attempts, releases, designs, overrides, jobs } = rules;

  function install(
    id: string,
    version: string,
    { automation, definition }: Pick<DesiredRelease, "automation" | "definition">,
    env: EnvironmentContext,
    pause: ScheduleOverride | undefined,
    kept?: readonly string[],
  ): JobRequest {
    if (!definition) return noJobRequest;
    const { alias } = automation.doc;
    const about = {
      release_id: id,
      alias,
      name: alias,
      version,
      schedule: definition.schedule ?? null,
      trigger: jobTriggerOf(definition, env),
      policy: policyOf(definition),
      paused: pause !== undefined,
      ...(pause && { pause }),
    };
    return jobs.request("job.install", env, automation.id, about, kept);
  }

  /** A new release inherits an existing pause: its job is installed as paused. */
  const existingPause = ({ environment }: EnvironmentContext, { id }: Stored<Automation>) =>
    overrides.get(environment.id, id);

  /**
   * Installing an existing job again keeps its pause state: a pause that begins with the release needs its own request.
   */
  function withPause(install: JobRequest, pause: JobRequest): JobRequest {
    return {
      steps: [...install.steps, ...pause.steps],
      outcome: install.outcome,
      async finish() {
        const outcome = await install.finish();
        await pause.finish();
        return outcome;
      },
    };
  }

  /**
   * The automation, and the definition that the release runs: the attempt's definition if the workflow names an
   * attempt.
   */
  async function desiredRelease(
    alias: string,
    attemptId: string | undefined,
    context: ChangeContext,
  ): Promise<DesiredRelease> {
    const known = await registry.find(alias);
    const registered = known
      ? { automation: known, steps: [], events: [] }
      : registry.registration(alias, context);
    if (attemptId === undefined)
      return { ...registered, definition: registry.definitionOf(registered.automation) };
    const { doc } = await attempts.read(alias, attemptId);
    const { definition, hash } = await designOfAttempt(alias, doc, context.actor);
    const defined = await registry.definitionChange(registered.automation, definition, context, hash);
    return { ...defined, definition: registry.definitionOf(defined.automation) };
  }

  /** The release exists but its job does not: only repeats the request to the platform. */
  async function installAgain(
    release: Stored<Release>,
    job: JobRequest,
    context: ChangeContext,
  ): Promise<Release> {
    const next = withInstall(release.doc, job.outcome);
    await store.apply({
      context,
      steps: [...releases.rows.update(release, next), ...job.steps],
      events: [releaseEvent("automation.install_repeated", release.owner, next.doc)],
    });
    return next.doc;
  }

  async function replace(
    former: Stored<Release> | undefined,
    declared: Omit<Release, "deployment_id">,
    { automation, definition, ...registering }: DesiredRelease,
    { environment }: EnvironmentContext,
    job: JobRequest,
    begun: ScheduleOverride | undefined,
    context: ChangeContext,
  ): Promise<Pick<ReleaseChange, "release" | "deployment" | "reconcile">> {
    const { version, git_branch, git_commit_sha } = declared;
    const name = `${automation.doc.alias} ${version}`;
    const record = { deployment_name: name, git_branch, git_commit_sha, job_run_id: null };
    const recorded = deployments.recordDeployment(record, environment, context);
    const undeployed = { ...declared, deployment_id: recorded.doc.id };
    const { doc, state } = definition
      ? withInstall(undeployed, job.outcome)
      : { doc: undeployed, state: withoutJob };
    const pinned = { releaseId: doc.id, automationId: automation.id, environmentId: environment.id };
    await store.apply({
      context,
      steps: [
        ...registering.steps,
        registry.lock(automation.id),
        ...(former ? releases.rows.remove(former) : []),
        ...releases.rows.insert(releases.row(doc, automation.id, state)),
        ...(definition ? designs.pin(pinned, definition, former?.doc.workflow_id ?? null) : []),
        ...recorded.steps,
        ...(begun ? [overrides.put(environment.id, automation.id, begun)] : []),
        ...job.steps,
      ],
      events: [
        ...registering.events,
        ...recorded.events,
        releaseEvent("automation.release_activated", automation.id, doc, {
          replaced: former?.doc.version ?? null,
        }),
        ...(begun
          ? [
              releaseEvent("automation.schedule_paused", automation.id, doc, {
                reason: begun.reason,
                until: null,
              }),
            ]
          : []),
      ],
    });
    return { release: doc, deployment: recorded.doc, reconcile: recorded.reconcile };
  }

  async function isSame(
    former: Stored<Release>,
    desired: ReleaseIdentity,
    definition: AutomationDefinition | null,
  ): Promise<boolean> {
    const { version, git_branch, git_commit_sha, design_content_hash, metadata } = former.doc;
    const had: ReleaseIdentity = { version, git_branch, git_commit_sha, design_content_hash, metadata };
    return (
      former.state !== "removing" &&
      encodeJson(had) === encodeJson(desired) &&
      encodeJson(await designs.of(former.id)) === encodeJson(definition)
    );
  }

  const activate: Activate = async (alias, env, origin, context, asked) => {
    const { environment, platform } = env;
    const released = await desiredRelease(alias, origin.attempt_id, context);
    const { automation, definition } = released;
    // Required even if the definition is unchanged, because the release runs it.
    if (definition) requireProcessTasks(definition, settings, context);
    const desired = identityOf(origin, automation.doc, environment);
    const label = `${alias} ${desired.version}`;
    const message = definition
      ? `${label} is current in ${environment.name}.`
      : `${label} is current in ${environment.name}, without a job: ${alias} has no definition yet.`;
    const refusal = `${label} is registered in ${environment.name} without its job; call again to retry. The platform ${platform.name} refused it`;

    const waiting = `${label} is current in ${environment.name}, but its job is not installed yet`;

    const former = await releases.current(automation.id, environment.id);
    if (former && (await isSame(former, desired, definition))) {
      if (former.state === "installed" || !definition) {
        return { message, release: former.doc, deployment: null };
      }
      const pause = await existingPause(env, automation);
      const job = install(former.id, desired.version, released, env, pause);
      const release = await installAgain(former, job, context);
      return { message, refusal, waiting, job, release, deployment: null };
    }
    const declared = {
      id: system.newId(),
      artifact: `automation/${alias}`,
      environment_id: environment.id,
      environment: environment.name,
      ...desired,
      workflow_id: null,
      activated_at: context.time,
      activated_by: context.actor,
    };
    const existing = await existingPause(env, automation);
    const begun = existing ? undefined : asked;
    const installed = install(declared.id, desired.version, released, env, existing ?? begun);
    const job =
      begun && former && definition
        ? withPause(
            installed,
            jobs.request("job.pause", env, automation.id, {
              release_id: declared.id,
              alias,
              override: begun,
              pause: begun,
              former: null,
            }),
          )
        : installed;
    const made = await replace(former, declared, released, env, job, begun, context);
    return { message, refusal, waiting, job, ...made };
  };

  async function reinstalled(
    automationId: string,
    env: EnvironmentContext,
    { context, kept }: Pick<ChangeRequest, "context"> & KeepsFields,
  ): Promise<JobRequest> {
    const automation = await registry.get(automationId);
    const release = automation && (await releases.current(automationId, env.environment.id));
    const definition = release && (await designs.of(release.id));
    if (!definition || release.state === "removing")
      throw conflict(
        automation
          ? noReleaseText(automation.doc.alias, env.environment.name)
          : `The automation has no current release with a job in ${env.environment.name}.`,
      );
    const { version } = release.doc;
    const pause = await existingPause(env, automation);
    const job = install(release.id, version, { automation, definition }, env, pause, kept);
    await store.apply({
      context,
      // The release keeps the id of its job until the platform has answered.
      steps: [...releases.rows.update(release, { doc: release.doc }), ...job.steps],
      events: [releaseEvent("automation.install_repeated", release.owner, release.doc)],
    });
    return job;
  }

  return {
    activate,
    async reinstall(automationId, env, call) {
      const job = await store.retryOnConflict(() => reinstalled(automationId, env, call));
      const outcome = await job.finish();
      if (outcome?.done === false) throw conflict(outcome.reason);
    },
    async pinStored(release, definition, env, context) {
      const automation = await registry.get(release.owner ?? "");
      if (!automation) return;
      const pause = await existingPause(env, automation);
      const job = install(release.id, release.doc.version, { automation, definition }, env, pause);
      // A remote platform already has the job. Only a job that is stored in this server's database can be missing.
      const isOurs = job.outcome !== undefined;
      const next = isOurs ? withInstall(release.doc, job.outcome) : { doc: release.doc };
      const pinned = {
        releaseId: release.id,
        automationId: automation.id,
        environmentId: env.environment.id,
      };
      await store.apply({
        context,
        steps: [
          ...releases.rows.update(release, { ...next, sealed: null }),
          ...designs.pin(pinned, definition, null),
          ...(isOurs ? job.steps : []),
        ],
        events: [releaseEvent("automation.install_repeated", release.owner, next.doc)],
      });
    },
  };
}

/**
 * Tasks have their own retries. A run is attempted again only if its server was lost, and then continues where it
 * stopped.
 */
const policyOf = (definition: AutomationDefinition): Partial<JobDefinition> => ({
  attempts: 20,
  overlap: definition.overlap,
  ...(definition.timeout_seconds && { timeout_seconds: definition.timeout_seconds }),
  ...(definition.notifications && { notify: definition.notifications }),
});

function identityOf(
  origin: Origin,
  automation: Automation,
  { targetGitBranch }: Environment,
): ReleaseIdentity {
  const { design_content_hash } = automation;
  return {
    version: origin.version ?? origin.git_commit_sha ?? design_content_hash ?? contentHash([]),
    git_branch: origin.git_branch ?? targetGitBranch ?? "",
    git_commit_sha: origin.git_commit_sha ?? "",
    design_content_hash,
    metadata: origin.metadata,
  };
}

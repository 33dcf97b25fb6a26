import { contentHash } from "@lakehelm/codegen/content-hash";
import type { Automation, AutomationDefinition, Environment, Release } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Place } from "../environments/environments.ts";
import type { Parts } from "../parts.ts";
import type { Stored } from "../store/collection.ts";
import type { By } from "../store/store.ts";
import type { Deploying } from "./deploying.ts";
import type { Job, Jobs } from "./jobs.ts";
import type { Overrides } from "./overrides.ts";
import type { Registering, Registry } from "./registry.ts";
import type { Origin } from "./release-origin.ts";
import { type Releases, told, withInstall } from "./releases.ts";
import type { Made } from "./sync-release.ts";

export type Activate = (alias: string, place: Place, origin: Origin, by: By) => Promise<Made>;

/** What makes a release the one it is: called again with the same, nothing changes. */
type Identity = Pick<
  Release,
  "version" | "git_branch" | "git_commit_sha" | "design_content_hash" | "metadata"
>;

export function createActivation(
  { store, nature }: Parts,
  parts: {
    readonly deploying: Deploying;
    readonly registry: Registry;
    readonly releases: Releases;
    readonly overrides: Overrides;
    readonly jobs: Jobs;
  },
): Activate {
  const { deploying, registry, releases, overrides, jobs } = parts;

  /** A new release carries what somebody paused along: its job is installed as paused. */
  async function install(id: string, version: string, automation: Stored<Automation>, place: Place) {
    const override = await overrides.get(place.environment.id, automation.id);
    return jobs.ask("job.install", place, automation.id, {
      release_id: id,
      alias: automation.doc.alias,
      version,
      schedule: registry.definitionOf(automation)?.schedule ?? null,
      paused: override !== undefined,
    });
  }

  /** The release is there, its job is not: only the platform is asked again. */
  async function installAgain(release: Stored<Release>, job: Job, by: By): Promise<Release> {
    const next = withInstall(release.doc, job.outcome);
    await store.apply({
      by,
      steps: [...releases.rows.update(release, next), ...job.steps],
      events: [told("automation.install_repeated", release.owner, next.doc)],
    });
    return next.doc;
  }

  async function replace(
    former: Stored<Release> | undefined,
    declared: Omit<Release, "deployment_id">,
    { automation, ...registering }: Registering,
    { environment }: Place,
    job: Job,
    by: By,
  ): Promise<Pick<Made, "release" | "deployment" | "reconcile">> {
    const { version, git_branch, git_commit_sha } = declared;
    const name = `${automation.doc.alias} ${version}`;
    const record = { deployment_name: name, git_branch, git_commit_sha, job_run_id: null };
    const recorded = deploying.recordDeployment(record, environment, by);
    const { doc, state } = withInstall({ ...declared, deployment_id: recorded.doc.id }, job.outcome);
    const definition = registry.definitionOf(automation);
    await store.apply({
      by,
      steps: [
        ...registering.steps,
        ...(former ? releases.rows.remove(former) : []),
        ...releases.rows.insert(releases.row(doc, automation.id, definition, state)),
        ...recorded.steps,
        ...job.steps,
      ],
      events: [
        ...registering.events,
        ...recorded.events,
        told("automation.release_activated", automation.id, doc, { replaced: former?.doc.version ?? null }),
      ],
    });
    return { release: doc, deployment: recorded.doc, reconcile: recorded.reconcile };
  }

  function isSame(
    former: Stored<Release>,
    wanted: Identity,
    definition: AutomationDefinition | null,
  ): boolean {
    const { version, git_branch, git_commit_sha, design_content_hash, metadata } = former.doc;
    const had: Identity = { version, git_branch, git_commit_sha, design_content_hash, metadata };
    return (
      former.state !== "removing" &&
      encodeJson(had) === encodeJson(wanted) &&
      encodeJson(releases.definitionOf(former)) === encodeJson(definition)
    );
  }

  return async (alias, place, origin, by) => {
    const { environment, platform } = place;
    const known = await registry.find(alias);
    const registering = known
      ? { automation: known, steps: [], events: [] }
      : registry.registering(alias, by);
    const { automation } = registering;
    const wanted = identityOf(origin, automation.doc, environment);
    const label = `${alias} ${wanted.version}`;
    const message = `${label} is current in ${environment.name}.`;
    const refusal = `${label} is registered in ${environment.name} without its job; call again to try once more. The platform ${platform.name} refused it`;

    const former = known && (await releases.current(known.id, environment.id));
    if (former && isSame(former, wanted, registry.definitionOf(automation))) {
      if (former.state === "installed") return { message, release: former.doc, deployment: null };
      const job = await install(former.id, wanted.version, automation, place);
      const release = await installAgain(former, job, by);
      return { message, refusal, job, release, deployment: null };
    }
    const declared = {
      id: nature.newId(),
      artifact: `automation/${alias}`,
      environment_id: environment.id,
      environment: environment.name,
      ...wanted,
      workflow_id: null,
      activated_at: by.time,
      activated_by: by.actor,
    };
    const job = await install(declared.id, wanted.version, automation, place);
    const made = await replace(former, declared, registering, place, job, by);
    return { message, refusal, job, ...made };
  };
}

function identityOf(origin: Origin, automation: Automation, { targetGitBranch }: Environment): Identity {
  const { design_content_hash } = automation;
  return {
    version: origin.version ?? origin.git_commit_sha ?? design_content_hash ?? contentHash([]),
    git_branch: origin.git_branch ?? targetGitBranch ?? "",
    git_commit_sha: origin.git_commit_sha ?? "",
    design_content_hash,
    metadata: origin.metadata,
  };
}

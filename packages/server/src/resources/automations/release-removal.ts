import type { Release } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext, DomainEvent, Step } from "../../core/store/store.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import { type JobRequests, noJobRequest } from "./job-requests.ts";
import type { Overrides } from "./overrides.ts";
import type { Registry } from "./registry.ts";
import type { ReleaseChange } from "./release-change.ts";
import type { ReleaseDesigns } from "./release-designs.ts";
import type { Origin } from "./release-origin.ts";
import { type JobState, type Releases, releaseEvent } from "./releases.ts";

export type Remove = (
  alias: string,
  env: EnvironmentContext,
  origin: Origin,
  context: ChangeContext,
) => Promise<ReleaseChange>;

interface RemovalRules {
  readonly deployments: DeploymentRecorder;
  readonly releases: Releases;
  readonly designs: ReleaseDesigns;
  readonly overrides: Overrides;
}

/** A release is deleted after its job: until then, a job that still runs stays visible. */
export function createRemoval(
  { store }: Dependencies,
  rules: RemovalRules & { readonly registry: Registry; readonly jobs: JobRequests },
): Remove {
  const { registry, releases, jobs } = rules;
  const removingState: JobState = "removing";

  return async (alias, env, origin, context) => {
    const { environment, platform } = env;
    const known = await registry.find(alias);
    const release = known && (await releases.current(known.id, environment.id));
    if (!release) {
      return { message: `${alias} has no release in ${environment.name}.`, release: null, deployment: null };
    }
    const { doc } = release;
    const other = otherThan(doc, origin);
    if (other !== undefined) {
      const message = `${other} is not the release of ${alias} in ${environment.name}. The current release is still ${doc.version}.`;
      return { message, release: null, deployment: null };
    }
    const about = { release_id: doc.id, alias, version: doc.version };
    const job = release.state === "none" ? noJobRequest : jobs.request("job.remove", env, known.id, about);
    const refusal = `${alias} ${doc.version} is still current in ${environment.name}. The platform ${platform.name} refused to remove its job`;
    if (job.outcome?.done === false) throw conflict(`${refusal}: ${job.outcome.reason}`);

    const message = `${alias} ${doc.version} is no longer current in ${environment.name}.`;
    const waiting = `${alias} ${doc.version} is still being removed from ${environment.name}`;
    const made = { message, refusal, waiting, job, release: doc, deployment: null };
    if (!job.outcome) {
      await store.apply({
        context,
        steps: [...releases.rows.update(release, { doc, state: removingState }), ...job.steps],
        events: [releaseEvent("automation.release_removing", known.id, doc)],
      });
      return made;
    }
    const { steps, event, reconcile } = removalOf(release, rules);
    await store.apply({ context, steps: [...steps, ...job.steps], events: [event] });
    return { ...made, reconcile };
  };
}

/** The workflow's release if it is not the current one: a late workflow must not remove a newer release. */
function otherThan(current: Release, { version, git_commit_sha }: Origin): string | undefined {
  if (version !== undefined && version !== current.version) return version;
  return git_commit_sha === undefined || git_commit_sha === current.git_commit_sha
    ? undefined
    : git_commit_sha;
}

interface Removal {
  readonly steps: readonly Step[];
  readonly event: DomainEvent;
  reconcile(context: ChangeContext): Promise<void>;
}

/** A pause is deleted with its release: left alone, it would invisibly prevent the deletion of its environment. */
export function removalOf(release: Stored<Release>, rules: RemovalRules): Removal {
  const { deployments, releases, designs, overrides } = rules;
  const { owner, doc } = release;
  const summary = deployments.invalidateSummary(doc.environment_id);
  return {
    steps: [
      ...releases.rows.remove(release),
      ...designs.clear(owner ?? "", doc.environment_id),
      overrides.clear(doc.environment_id, owner ?? ""),
      ...summary.steps,
    ],
    event: releaseEvent("automation.release_deleted", owner, doc),
    reconcile: summary.reconcile,
  };
}

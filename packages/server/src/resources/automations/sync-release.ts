import type { DeploymentResponse, Release } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { type By, retrying } from "../../core/store/store.ts";
import type { Environments } from "../environments/environments.ts";
import type { Job } from "./jobs.ts";
import type { Activate } from "./release-activation.ts";
import { originOf } from "./release-origin.ts";
import type { Remove } from "./release-removal.ts";
import type { Releases } from "./releases.ts";

export interface SyncRequest {
  readonly automation_alias: string;
  readonly environment: string;
  readonly action: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Synced {
  readonly message: string;
  readonly release: Release | null;
  readonly deployment: DeploymentResponse | null;
}

/** What a hook has changed, if anything, and what follows that change. */
export interface Made extends Synced {
  readonly job?: Job;
  /** How a refusal of the platform is told, up to its reason. */
  readonly refusal?: string;
  reconcile?(by: By): Promise<void>;
}

/** #9: deploy workflows say, after a promotion merge, which release of an automation an environment runs. */
export function createSyncRelease(parts: {
  readonly environments: Environments;
  readonly releases: Releases;
  readonly activate: Activate;
  readonly remove: Remove;
}): (request: SyncRequest, by: By) => Promise<Synced> {
  const { environments, releases, activate, remove } = parts;

  return async ({ automation_alias: alias, environment, action, metadata }, by) => {
    if (action !== "activate" && action !== "delete") {
      throw conflict(`The action "${action}" is not known: a release takes "activate" and "delete".`);
    }
    if (alias === "") throw conflict("automation_alias must not be empty.");
    const origin = originOf(metadata);
    const { job, refusal, reconcile, ...synced } = await retrying(async () => {
      const place = await environments.forHook(environment, by);
      return action === "activate" ? activate(alias, place, origin, by) : remove(alias, place, origin, by);
    });
    await reconcile?.(by);
    const outcome = await job?.settle();
    if (outcome?.done === false) throw conflict(`${refusal}: ${outcome.reason}`);
    if (!job || job.outcome || !synced.release) return synced;
    // What the platform answered later is in the release by now.
    const settled = await releases.rows.get(synced.release.id);
    return settled ? { ...synced, release: settled.doc } : synced;
  };
}

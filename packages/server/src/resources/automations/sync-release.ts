import { conflict } from "../../core/errors.ts";
import type { ChangeContext, Store } from "../../core/store/store.ts";
import { initialPause } from "../../runtime/jobs/pause-request.ts";
import type { Environments } from "../environments/environments.ts";
import type { Activate } from "./release-activation.ts";
import type { SyncResult } from "./release-change.ts";
import { originOf } from "./release-origin.ts";
import type { Remove } from "./release-removal.ts";
import type { Releases } from "./releases.ts";

export interface ReleaseSyncRequest {
  readonly automation_alias: string;
  readonly environment: string;
  readonly action: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly paused?: unknown;
}

/** #9: after a promotion merge, deploy workflows report which release of an automation an environment runs. */
export function createSyncRelease(rules: {
  readonly store: Store;
  readonly environments: Environments;
  readonly releases: Releases;
  readonly activate: Activate;
  readonly remove: Remove;
}): (request: ReleaseSyncRequest, context: ChangeContext) => Promise<SyncResult> {
  const { store, environments, releases, activate, remove } = rules;

  return async ({ automation_alias: alias, environment, action, metadata, paused }, context) => {
    if (action !== "activate" && action !== "delete") {
      throw conflict(`Unknown action "${action}". Available actions: activate, delete.`);
    }
    if (alias === "") throw conflict("automation_alias must not be empty.");
    const origin = originOf(metadata);
    const pause = initialPause(paused, context);
    const { job, refusal, waiting, reconcile, ...synced } = await store.retryOnConflict(async () => {
      const env = await environments.forHook(environment, context);
      return action === "activate"
        ? activate(alias, env, origin, context, pause)
        : remove(alias, env, origin, context);
    });
    await reconcile?.(context);
    const outcome = await job?.finish();
    if (outcome?.done === false) throw conflict(`${refusal}: ${outcome.reason}`);
    if (!job || job.outcome || !synced.release) return synced;
    // The release now includes a response that the platform gave later.
    const stored = await releases.rows.get(synced.release.id);
    if (!stored) return synced;
    const { error_message } = stored.doc;
    const message = error_message ? `${waiting}: ${error_message}` : synced.message;
    return { ...synced, message, release: stored.doc };
  };
}

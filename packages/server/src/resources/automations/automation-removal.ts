import type { Automation, ChatBinding } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import { requireVersion } from "../../core/store/collection.ts";
import type { ChangeRequest } from "../../core/store/requests.ts";
import type { AuthoringAttempts } from "./attempts.ts";
import type { Registry } from "./registry.ts";
import type { Releases } from "./releases.ts";

/** A chat channel that is bound to the automation; undefined if there is none. */
export type FindBoundChannel = (
  alias: string,
) => Promise<Pick<ChatBinding, "channel_id" | "environment"> | undefined>;

export type RemoveAutomation = (alias: string, call: ChangeRequest) => Promise<Automation>;

/** Deletes an automation with its attempts. A current release or a bound chat channel prevents the deletion. */
export function createAutomationRemoval(
  { store }: Dependencies,
  rules: {
    readonly registry: Registry;
    readonly attempts: AuthoringAttempts;
    readonly releases: Releases;
    readonly boundChannel: FindBoundChannel;
  },
): RemoveAutomation {
  const { registry, attempts, releases, boundChannel } = rules;

  return (alias, { context, expectedVersion }) =>
    store.retryOnConflict(async () => {
      const before = await registry.read(alias);
      requireVersion(before, expectedVersion);
      const [release] = await releases.ofAutomation(before.id);
      if (release) {
        const { environment, version } = release.doc;
        throw conflict(
          `${alias} ${version} is current in ${environment}. Remove the release first: POST /api/automations/sync-release with the action delete.`,
        );
      }
      const channel = await boundChannel(alias);
      if (channel !== undefined) {
        const { channel_id, environment } = channel;
        throw conflict(
          `The channel ${channel_id} in ${environment} is bound to ${alias}. Delete the binding first.`,
        );
      }
      const { steps, event } = registry.removal(before);
      await store.apply({
        context,
        // Deleting the row first locks the automation against concurrent releases and attempts.
        steps: [...steps, releases.noneOf(before.id), ...(await attempts.removalOfAll(before.id))],
        events: [event],
      });
      return before.doc;
    });
}

import { conflict } from "../../core/errors.ts";
import type { Change } from "../../core/store/store.ts";
import type { Environments } from "../environments/environments.ts";
import type { ChatBindings } from "./bindings.ts";
import type { DeliveryRows } from "./delivery-rows.ts";
import { truncated } from "./message.ts";

/** Sends messages to channels for other resources: agents that respond there. */
export interface ChatPoster {
  /**
   * Queues a message to a channel, in the caller's transaction. The message and its delivery have the same id, and a
   * second message with this id fails the transaction as a duplicate. Throws 409 if the channel is not bound or has no
   * address.
   */
  post(
    environmentId: string,
    channelId: string,
    text: string,
    about: { readonly id: string; readonly time: string },
  ): Promise<Pick<Change, "steps" | "events">>;
}

export function createChatPoster(
  environments: Pick<Environments, "read">,
  bindings: Pick<ChatBindings, "find">,
  rows: DeliveryRows,
): ChatPoster {
  return {
    async post(environmentId, channelId, text, { id, time }) {
      const { doc: environment } = await environments.read(environmentId);
      const binding = await bindings.find(environmentId, channelId);
      if (!binding) throw conflict(`Channel ${channelId} is not bound in ${environment.name}.`);
      if (binding.channel_url === null) {
        throw conflict(
          `Channel ${channelId} has no channel_url in ${environment.name}, so it receives no messages.`,
        );
      }
      const message = {
        id,
        kind: "message",
        time,
        environment: environment.name,
        automation: null,
        text: truncated(text),
        data: {},
        channel_id: channelId,
      };
      const data = { environment_id: environmentId, channel_id: channelId };
      return {
        steps: rows.insert({ channel: binding.id, environmentId, message }, time),
        // The event also wakes the server that delivers, which may be another server.
        events: [{ kind: "delivery.queued", subject: `delivery/${id}`, data }],
      };
    },
  };
}

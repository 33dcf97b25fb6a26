import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { Chat } from "./chat.ts";

type Routes =
  | "bindChat"
  | "listBindings"
  | "deleteBinding"
  | "testBinding"
  | "listDeliveries"
  | "retryDelivery";

export function chatHandlers(
  { bindings, deliveries }: Pick<Chat, "bindings" | "deliveries">,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async bindChat(call) {
      const { binding, signingSecret } = await bindings.bind(call.body, call.context);
      const { channel_id, environment, channel_url } = binding;
      const silent = channel_url === null ? " It has no channel_url, so it receives no messages." : "";
      const message = `Channel ${channel_id} is bound in ${environment}.${silent}`;
      const secret = signingSecret === undefined ? {} : { signing_secret: signingSecret };
      return { body: { success: true, message, binding, ...secret } };
    },
    async listBindings(call) {
      const scope = await environments.filter(call);
      return { body: await bindings.page(scope, call.query) };
    },
    async deleteBinding(call) {
      const { channel_id, environment } = await bindings.remove(call.params.binding_id, call.context);
      const message = `Channel ${channel_id} is no longer bound in ${environment}.`;
      return { body: { success: true, message } };
    },
    async testBinding(call) {
      const sent = await deliveries.test(call.params.binding_id, call.context, call.signal);
      const { channelId, outcome, status, error } = sent;
      const success = outcome === "delivered";
      const message = success
        ? `Channel ${channelId} accepted the test message.`
        : `Channel ${channelId} did not accept the test message. ${error}`;
      return { body: { success, message, status } };
    },
    async listDeliveries(call) {
      const scope = await environments.filter(call);
      const { state, binding, created_after, created_before, search } = call.query;
      const filter = { ...scope, state, binding, created_after, created_before, search };
      return { body: await deliveries.page(filter, call.query) };
    },
    async retryDelivery(call) {
      return { body: await deliveries.retry(call.params.delivery_id, call.context) };
    },
  };
}

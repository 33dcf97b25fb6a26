import type { endpoints } from "@lakehelm/contract";
import type { Environments } from "../environments/environments.ts";
import type { Handlers } from "../http/handler.ts";
import type { ChatBindings } from "./bindings.ts";

type Routes = "bindChat" | "listBindings" | "deleteBinding";

export function chatHandlers(
  bindings: ChatBindings,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async bindChat(call) {
      const binding = await bindings.bind(call.body, call.by);
      const message = `Channel ${binding.channel_id} is bound in ${binding.environment}.`;
      return { body: { success: true, message, binding } };
    },
    async listBindings(call) {
      const scope = await environments.filter(call.header("x-environment-id"));
      const { skip, limit } = call.query;
      return { body: await bindings.page(scope, skip, limit) };
    },
    async deleteBinding(call) {
      const { channel_id, environment } = await bindings.remove(call.params.binding_id, call.by);
      const message = `Channel ${channel_id} is no longer bound in ${environment}.`;
      return { body: { success: true, message } };
    },
  };
}

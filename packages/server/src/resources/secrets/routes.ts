import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "./secret-store.ts";

type Routes = "listSecrets" | "putSecret" | "deleteSecret";

export function secretHandlers(
  secrets: SecretStore,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async listSecrets(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope } = call.params;
      const names = await secrets.names(environment, scope);
      return { body: { scope, secrets: names, total: names.length } };
    },
    async putSecret(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope, key } = call.params;
      await secrets.put(environment, scope, key, call.body.value, call.context);
      return { body: { success: true, message: `Secret ${scope}/${key} stored.` } };
    },
    async deleteSecret(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope, key } = call.params;
      await secrets.remove(environment, scope, key, call.context);
      return { body: { success: true, message: `Secret ${scope}/${key} deleted.` } };
    },
  };
}

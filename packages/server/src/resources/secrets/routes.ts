import { type endpoints, memoryListFields } from "@lakehelm/contract";
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "./secret-store.ts";

type Routes = "listSecretScopes" | "listSecrets" | "limitSecretScope" | "putSecret" | "deleteSecret";

export function secretHandlers(
  secrets: SecretStore,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  /** The limit with names of environments; an environment that was deleted since is shown by its id. */
  async function shownLimit(...at: Parameters<SecretStore["limitOf"]>) {
    const limit = await secrets.limitOf(...at);
    const found =
      limit.environments?.map(async (id) => (await environments.find(id))?.doc.name ?? id) ?? null;
    return {
      environments: found && (await Promise.all(found)),
      roles: limit.roles && [...limit.roles],
      hosts: limit.hosts && [...limit.hosts],
    };
  }

  return {
    async listSecretScopes(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const scopes = (await secrets.scopes(environment, call.caller.role)).map((scope) => ({ scope }));
      const fields = memoryListFields.secretScopes;
      const page = pageInMemory("secret scopes", scopes, { fields, idOf: ({ scope }) => scope }, call.query);
      return { body: { scopes: page.items, ...pageEnd(page) } };
    },
    async listSecrets(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope } = call.params;
      const names = await secrets.names(environment, scope);
      const limits = await shownLimit(scope, environment.id);
      const fields = memoryListFields.secrets;
      const page = pageInMemory(`secrets ${scope}`, names, { fields, idOf: ({ key }) => key }, call.query);
      return { body: { scope, secrets: page.items, ...pageEnd(page), limits } };
    },
    async limitSecretScope(call) {
      const { scope } = call.params;
      const { environments: references = null, roles = null, hosts } = call.body;
      const found = references && (await Promise.all(references.map((one) => environments.read(one))));
      const limit = {
        environments: found && [...new Set(found.map(({ id }) => id))],
        roles,
        ...(hosts !== undefined && { hosts }),
      };
      await secrets.limit(scope, limit, call.context);
      return { body: { scope, ...(await shownLimit(scope)) } };
    },
    async putSecret(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope, key } = call.params;
      await secrets.put(environment, scope, key, call.body.value, call.context);
      const { hosts } = await secrets.limitOf(scope, environment.id);
      const first =
        hosts === null
          ? ` The scope ${scope} has no hosts yet: the first connector, task or setting of an admin that refers to it decides where its secrets of this environment may be sent.`
          : "";
      return { body: { success: true, message: `Secret ${scope}/${key} stored.${first}` } };
    },
    async deleteSecret(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { scope, key } = call.params;
      await secrets.remove(environment, scope, key, call.context);
      return { body: { success: true, message: `Secret ${scope}/${key} deleted.` } };
    },
  };
}

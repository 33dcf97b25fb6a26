import { type endpoints, memoryListFields, type User } from "@lakehelm/contract";
import { counted } from "@lakehelm/contract/text";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import { collection } from "../../core/store/collection.ts";
import { pageEnd, pageInMemory } from "../../core/store/list-in-memory.ts";
import type { Handlers } from "../http/handler.ts";
import { listText } from "../http/reply.ts";
import { configuredClient } from "./configured-client.ts";
import type { Identity } from "./identity.ts";
import { noUser } from "./users.ts";

type IdentityEndpoints = Pick<
  typeof endpoints,
  | "getAuthStatus"
  | "exchangeToken"
  | "exchangeSignInCode"
  | "createUser"
  | "listUsers"
  | "getUser"
  | "updateUser"
  | "deleteUser"
  | "createToken"
  | "listTokens"
  | "revokeToken"
  | "listEnvironmentRoles"
  | "putEnvironmentRole"
  | "deleteEnvironmentRole"
>;

export function identityHandlers(
  { settings, store }: Dependencies,
  { exchange, exchangeCode, workspace, embedded, grants }: Identity,
  environmentOf: (reference: string) => Promise<{ readonly id: string; readonly name: string }>,
): Handlers<IdentityEndpoints> {
  const stored = collection<User>(store, "users");

  /** Only the embedded workspace manages users and tokens here. */
  function own() {
    if (!embedded)
      throw conflict(`This server does not manage users: the workspace ${workspace.address} does.`);
    return embedded;
  }

  return {
    getAuthStatus: async ({ caller }) => ({
      body: {
        authenticated: true,
        auth_type: caller.authType,
        workspace: workspace.address,
        client_id: settings.PLATFORM_CLIENT_ID ?? "",
        platform_client_configured: configuredClient(settings) !== undefined,
      },
    }),

    exchangeToken: async ({ body, client, signal }) => ({ body: await exchange(body, { client, signal }) }),

    exchangeSignInCode: async ({ body }) => ({ body: await exchangeCode(body.code) }),

    createUser: async ({ body, context, saveAnswer }) => own().users.create(body, context, saveAnswer),

    async listUsers({ query }) {
      own();
      return { text: listText("users", await stored.list({}, query)) };
    },

    async getUser({ params }) {
      own();
      const user = await stored.text(params.user_id);
      if (!user) throw noUser();
      return user;
    },

    updateUser: async ({ params, body, context, expectedVersion }) =>
      own().users.update(params.user_id, body, context, expectedVersion),

    async deleteUser({ params, context, expectedVersion }) {
      const { user, tokens } = await own().users.remove(params.user_id, context, expectedVersion);
      const deleted = counted(tokens, "token");
      return { body: { success: true, message: `User ${user.username} and ${deleted} deleted.` } };
    },

    createToken: async ({ params, body, context }) => ({
      body: await own().tokens.create(params.user_id, body, context),
    }),

    async listTokens({ params, query }) {
      const page = await own().tokens.page(params.user_id, query);
      return { text: listText("tokens", page) };
    },

    async listEnvironmentRoles({ params, query }) {
      const { id } = await environmentOf(params.environment_id);
      const fields = memoryListFields.roles;
      const found = await grants.inEnvironment(id);
      const page = pageInMemory(`roles ${id}`, found, { fields, idOf: ({ username }) => username }, query);
      return { body: { roles: page.items, ...pageEnd(page) } };
    },

    async putEnvironmentRole({ params, body, context }) {
      const environment = await environmentOf(params.environment_id);
      return { body: await grants.put(environment, params.username, body.role, context) };
    },

    async deleteEnvironmentRole({ params, context }) {
      const environment = await environmentOf(params.environment_id);
      await grants.remove(environment, params.username, context);
      const message = `${params.username} has no role of its own in ${environment.name}.`;
      return { body: { success: true, message } };
    },

    async revokeToken({ params, context }) {
      await own().tokens.revoke(params.user_id, params.token_id, context);
      return { body: { success: true, message: "Token revoked." } };
    },
  };
}

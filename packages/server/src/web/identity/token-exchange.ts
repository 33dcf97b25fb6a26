import type { EndpointBody, EndpointResponse, endpoints } from "@lakehelm/contract";
import { unauthorized, unavailable } from "../../core/errors.ts";
import type { Settings } from "../../settings.ts";
import type { Claims, ClientJwt } from "./client-jwt.ts";
import { configuredClient } from "./configured-client.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import type { RoleOf } from "./roles.ts";
import type { Workspace } from "./workspace.ts";

type Credentials = EndpointBody<typeof endpoints.exchangeToken>;
type IssuedJwt = EndpointResponse<typeof endpoints.exchangeToken>;
type ClientForm = Extract<Credentials, { client_id: string }>;
type UserForm = Extract<Credentials, { username: string }>;

/** The sender of the credentials: an address, and whether it is still connected. */
interface Sender {
  readonly client: string;
  readonly signal?: AbortSignal;
}

export type TokenExchange = (credentials: Credentials, sender: Sender) => Promise<IssuedJwt>;

export interface TokenExchangeDependencies {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly jwt: ClientJwt;
  readonly slowDown: LoginThrottle;
  readonly roleOf: RoleOf;
}

/** Exchanges credentials for a JWT: the client form and the user form of the contract's #2. */
export function createTokenExchange({
  settings,
  workspace,
  jwt,
  slowDown,
  roleOf,
}: TokenExchangeDependencies): TokenExchange {
  const configured = configuredClient(settings);

  async function issued(token_type: IssuedJwt["token_type"], claims: Claims): Promise<IssuedJwt> {
    const { token, expiresAt } = await jwt.issue(claims);
    return {
      access_token: token,
      token_type,
      expires_in: settings.PLATFORM_TOKEN_TTL_SECONDS,
      expires_at: expiresAt.toISOString(),
      workspace: workspace.address,
    };
  }

  function clientForm(form: ClientForm, { client, signal }: Sender): Promise<IssuedJwt> {
    if (!configured) throw unavailable("No client is configured on this server.");
    const exchange = async () => {
      const matches = configured.matches(form.client_id, form.client_secret);
      if (!matches) throw unauthorized("The client id or the client secret is wrong.");
      return issued("Bearer", { name: configured.id, role: "operator" });
    };
    return slowDown.attempt(client, `client ${form.client_id}`, exchange, signal);
  }

  function userForm({ username, password }: UserForm, { client, signal }: Sender): Promise<IssuedJwt> {
    const exchange = async () => {
      const user = await workspace.userOfPassword(username, password);
      const at = { id: user.id, workspace: workspace.address, session: user.session };
      return issued("bearer", { name: user.name, role: roleOf(user), user: at });
    };
    return slowDown.attempt(client, `user ${username}`, exchange, signal);
  }

  return async (credentials, sender) =>
    "client_id" in credentials ? clientForm(credentials, sender) : userForm(credentials, sender);
}

import { unauthorized } from "../../core/errors.ts";
import type { Caller } from "../http/caller.ts";
import type { Authenticate } from "../http/guard.ts";
import { tokenOf } from "./bearer.ts";
import type { Claims, ClientJwt } from "./client-jwt.ts";
import type { RoleOf } from "./roles.ts";
import { serviceCaller } from "./service-token.ts";
import type { TokenCache } from "./token-cache.ts";
import type { Workspace } from "./workspace.ts";

export interface AuthenticatorDependencies {
  isServiceToken(token: string): boolean;
  readonly jwt: ClientJwt;
  readonly cache: TokenCache;
  readonly workspace: Workspace;
  readonly roleOf: RoleOf;
}

/** Tries the three kinds of token in the contract's order; the first that validates wins. */
export function createAuthenticator(deps: AuthenticatorDependencies): Authenticate {
  const { isServiceToken, jwt, cache, workspace, roleOf } = deps;

  async function jwtOrUserCaller(token: string): Promise<Caller> {
    const claims = await jwt.verify(token);
    if (claims) return jwtCaller(claims);
    const user = await cache.userOf(token);
    return { name: user.name, role: roleOf(user), authType: "user_token" };
  }

  /** The user is read on every use, so that a deactivation or a new role takes effect immediately. */
  async function jwtCaller({ name, role, user }: Claims): Promise<Caller> {
    if (!user) return { name, role, authType: "client_jwt" };
    if (user.workspace !== workspace.address) {
      throw unauthorized("The token was issued for a user of another workspace.");
    }
    const now = await workspace.refresh({ id: user.id, name });
    return { name: now.name, role: roleOf(now), authType: "client_jwt" };
  }

  return (headers) => {
    const token = tokenOf(headers);
    return isServiceToken(token) ? serviceCaller : jwtOrUserCaller(token);
  };
}

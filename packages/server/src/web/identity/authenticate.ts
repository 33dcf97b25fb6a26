import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { unauthorized } from "../../core/errors.ts";
import type { Authenticate, Caller } from "../http/caller.ts";
import type { Claims, ClientJwt } from "./client-jwt.ts";
import type { RoleOf } from "./roles.ts";
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

/**
 * The token of a request. If `X-Service-Auth` is present, only it counts: the ingress in front of the warehouse sets
 * its own token in `Authorization`.
 */
export function tokenOf(headers: IncomingHttpHeaders): string {
  const service = headers["x-service-auth"];
  if (service !== undefined) return serviceToken(service);
  const { authorization } = headers;
  if (authorization === undefined) throw unauthorized("The header Authorization: Bearer <token> is missing.");
  const token = bearer(authorization);
  if (token === undefined) throw unauthorized("The header Authorization must have the form Bearer <token>.");
  return token;
}

/** The bare token, or `Bearer <token>`. Node joins duplicate headers with a comma, which no token contains. */
function serviceToken(value: string | string[]): string {
  const token = typeof value === "string" ? (bearer(value) ?? value.trim()) : "";
  if (token === "" || /^bearer$/i.test(token)) {
    throw unauthorized("The header X-Service-Auth must carry one token: <token> or Bearer <token>.");
  }
  return token;
}

/** The token after `Bearer`, in any case, and blanks. No pattern: one with two runs of blanks takes quadratic time. */
function bearer(value: string): string | undefined {
  const text = value.trim();
  const blank = text[6];
  if ((blank !== " " && blank !== "\t") || text.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return text.slice(7).trimStart();
}

export const serviceCaller: Caller = { name: "internal-service", role: "admin", authType: "service_token" };

/** The service token and, during a rotation, its predecessor. */
export function serviceTokenMatcher(tokens: readonly (string | undefined)[]): (token: string) => boolean {
  const matches = secretMatcher(tokens.filter((token) => token !== undefined));
  // Node decodes header bytes as Latin-1: a token configured in UTF-8 matches if the same bytes arrive.
  return (token) => matches(Buffer.from(token, "latin1"));
}

/**
 * Whether a candidate is one of the secrets. All of them are compared, and a comparison takes the same time wherever
 * they differ: a caller can measure at most a length.
 */
export function secretMatcher(secrets: readonly string[]): (candidate: string | Buffer) => boolean {
  const known = secrets.map((secret) => Buffer.from(secret));
  return (candidate) => {
    const sent = typeof candidate === "string" ? Buffer.from(candidate) : candidate;
    let matches = 0;
    for (const secret of known) {
      if (sent.length === secret.length && timingSafeEqual(sent, secret)) matches += 1;
    }
    return matches > 0;
  };
}

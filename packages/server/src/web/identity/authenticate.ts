import type { IncomingHttpHeaders } from "node:http";
import { forbidden, Problem, unauthorized } from "../../core/errors.ts";
import { equalInConstantTime } from "../../core/secrets/vault.ts";
import type { Authenticate } from "../http/call.ts";
import type { Caller } from "../http/handler.ts";
import type { Claims, ClientJwt } from "./client-jwt.ts";
import type { GrantsOf } from "./grants.ts";
import { isReservedName } from "./reserved-names.ts";
import type { RoleOf } from "./roles.ts";
import type { TokenCache } from "./token-cache.ts";
import { firstSession, type Workspace, type WorkspaceUser } from "./workspace.ts";

export interface AuthenticatorDependencies {
  isServiceToken(token: string): boolean;
  readonly jwt: ClientJwt;
  readonly cache: TokenCache;
  readonly workspace: Workspace;
  readonly roleOf: RoleOf;
  /** The roles that users have in environments. */
  readonly grantsOf: GrantsOf;
}

/** A user in one of its sessions: the callers of a JWT and of an app session. */
interface SessionUser {
  readonly id: string;
  readonly name: string;
  readonly session?: string | null | undefined;
}

/** The current state of a user in a session; undefined once the session has ended. */
export type CallerOf = (user: SessionUser) => Promise<Caller | undefined>;

/** The current state of a user, whether or not its sessions have ended; undefined: deleted or inactive. */
export type CallerNow = (user: Pick<SessionUser, "id" | "name">) => Promise<Caller | undefined>;

/** Tries the three kinds of token in the contract's order; the first that validates wins. */
export function createAuthenticator(deps: AuthenticatorDependencies): {
  readonly authenticate: Authenticate;
  readonly callerOf: CallerOf;
  readonly callerNow: CallerNow;
} {
  const { isServiceToken, jwt, cache, workspace, roleOf, grantsOf } = deps;

  async function jwtOrUserCaller(token: string): Promise<Caller> {
    const claims = await jwt.verify(token);
    if (claims) return jwtCaller(claims);
    return userCaller(await cache.userOf(token), "user_token");
  }

  /** A workspace may have a user whose name looks like the server's in events. */
  async function userCaller(user: WorkspaceUser, authType: Caller["authType"]): Promise<Caller> {
    const { id, name, session } = user;
    if (isReservedName(name)) throw forbidden("The name of this user is reserved for the server.");
    const grants = await grantsOf(name);
    return { name, role: roleOf(user), authType, user: { id, session }, ...(grants && { grants }) };
  }

  /** The user is read on every use, so that a deactivation or a new role takes effect immediately. */
  async function jwtCaller({ name, role, user, environment }: Claims): Promise<Caller> {
    if (!user) {
      const grants = environment && new Map([[environment.id, environment.role]]);
      return { name, role, authType: "client_jwt", ...(grants && { grants }) };
    }
    if (user.workspace !== workspace.address) {
      throw unauthorized("The token was issued for a user of another workspace.");
    }
    return sessionCaller({ ...user, name });
  }

  async function sessionCaller({ id, name, session }: SessionUser): Promise<Caller> {
    const now = await workspace.refresh({ id, name });
    if (now.session !== undefined && now.session !== (session ?? firstSession)) {
      throw unauthorized(
        "The user has changed since this token was issued: exchange your credentials again.",
      );
    }
    return userCaller(now, "client_jwt");
  }

  return {
    authenticate(headers) {
      const token = tokenOf(headers);
      return isServiceToken(token) ? serviceCaller : jwtOrUserCaller(token);
    },
    callerOf: (user) => sessionCaller(user).catch(orNobody),
    callerNow: (user) =>
      workspace
        .refresh(user)
        .then((now) => userCaller(now, "client_jwt"))
        .catch(orNobody),
  };
}

function orNobody(error: unknown): undefined {
  if (error instanceof Problem && error.kind !== "unavailable") return undefined;
  throw error;
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
  const token = typeof value === "string" ? (bearer(value) ?? trimBlanks(value)) : "";
  if (token === "" || /^bearer$/i.test(token)) {
    throw unauthorized("The header X-Service-Auth must carry one token: <token> or Bearer <token>.");
  }
  return token;
}

/** The token after `Bearer`, in any case, and blanks. No pattern: one with two runs of blanks takes quadratic time. */
function bearer(value: string): string | undefined {
  const text = trimBlanks(value);
  if (!isBlank(text[6]) || text.slice(0, 6).toLowerCase() !== "bearer") return undefined;
  return trimBlanks(text.slice(7));
}

const isBlank = (character: string | undefined) => character === " " || character === "\t";

/** HTTP has no other blanks (RFC 9110, 5.6.3): a no-break space is part of the token, which is then unknown. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
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
      if (equalInConstantTime(sent, secret)) matches += 1;
    }
    return matches > 0;
  };
}
